package proof

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// reports verifies every report that has a row or an event.
func (r *auditRun) reports(ctx context.Context) error {
	_, err := eventstore.Walk{Pool: r.Pool, Batch: auditBatch, Workers: r.Workers}.Each(ctx, r.batch)
	return err
}

// batch verifies several reports, which it reads in one snapshot.
func (r *auditRun) batch(ctx context.Context, ids []string) error {
	streams := make(map[string]*stream, len(ids))
	counts := make(map[string]*int, len(ids))
	var placed int64
	err := pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for _, id := range ids {
			streams[id] = newStream(r, id)
		}
		err := eventstore.EachLocated(ctx, tx, ids, func(e *eventstore.Located) error {
			if e.Position != nil && *e.Position <= r.end {
				placed++
			}
			streams[e.ReportID].follow(&e.Record, e.Position, e.Leaf)
			return nil
		})
		if err != nil {
			return err
		}
		var id string
		var count int
		return postgres.ForEach(ctx, tx, "count events", []any{&id, &count}, func() error {
			counts[id] = new(count)
			return nil
		}, `SELECT id::text, sequence FROM core_moderation_reports WHERE id = ANY ($1::uuid[])`, ids)
	})
	if err != nil {
		return fmt.Errorf("check reports from %s: %w", ids[0], err)
	}
	for _, id := range ids {
		if f := streams[id].end(counts[id]); f != nil {
			r.found(*f)
		}
		for _, f := range streams[id].breaches() {
			r.found(f)
		}
	}
	r.mu.Lock()
	r.audited.Reports += int64(len(ids))
	r.placed += placed
	for _, id := range ids {
		for _, e := range streams[id].erasures {
			r.audited.Erasures++
			if r.Erased != nil {
				r.Erased(e)
			}
		}
	}
	r.mu.Unlock()
	r.progress(len(ids))
	return nil
}
