package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/wake"
)

// Sealer gives every event a position in one order without gaps. A sequence of PostgreSQL
// cannot do so, since a lower number can commit later. Every server may run a Sealer; one
// at a time seals. Readers page the log by position.
type Sealer struct {
	pool   *pgxpool.Pool
	log    zerolog.Logger
	loop   *wake.Loop
	sealed func(position int64)
}

// The bounds of sealing.
const (
	sealBatch = 1000
	// sealEvery is how soon events of other servers are sealed, which cannot wake this one.
	sealEvery = 250 * time.Millisecond
	// sealPause is the minimum time between two passes. Under load events accumulate meanwhile, so that passes cost
	// little compared with commands.
	sealPause = 100 * time.Millisecond
)

// NewSealer returns a sealer that calls sealed with the last position after each batch.
// sealed must not block.
func NewSealer(pool *pgxpool.Pool, log zerolog.Logger, sealed func(position int64)) *Sealer {
	return &Sealer{pool: pool, log: log, loop: wake.NewLoop(sealEvery, sealPause), sealed: sealed}
}

// Wake requests a pass soon; it never blocks.
func (s *Sealer) Wake() { s.loop.Wake() }

// Run seals until ctx ends. Failures are logged and retried.
func (s *Sealer) Run(ctx context.Context) { s.loop.Run(ctx, s.pass) }

func (s *Sealer) pass(ctx context.Context) {
	for {
		n, err := s.Seal(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error().Err(err).Msg("sealing failed")
		}
		if err != nil || n < sealBatch {
			return
		}
	}
}

// The advisory lock of the sealer: one at a time.
const (
	sealLock   = `SELECT pg_try_advisory_xact_lock(hashtextextended('docket:sealer', 0))`
	waitToSeal = `SELECT pg_advisory_xact_lock(hashtextextended('docket:sealer', 0))`
)

// scanBounds selects the transaction ids where the scan begins and ends, and where the
// next scan begins. The latter is read before this scan, so that the next one finds events
// that commit in between. Events beyond the cluster's next transaction id come from the dump
// of another cluster. Only a scan from 0 includes them; otherwise each pass would read the
// whole of a restored log.
const scanBounds = `SELECT low::text, (CASE WHEN low = '0' THEN '18446744073709551615'::xid8 ELSE xmax END)::text, xmin::text
	FROM (SELECT CASE WHEN lower_bound > pg_snapshot_xmax(now) THEN '0'::xid8 ELSE lower_bound END AS low,
			pg_snapshot_xmax(now) AS xmax, pg_snapshot_xmin(now) AS xmin
		FROM core_moderation_sealer, pg_current_snapshot() AS now) bounds`

// unsealedEvents selects visible events that have no position yet, in order within each
// report. The predecessor of a visible event is visible too, since the stream lock makes
// them commit in order. It reads the index on transaction_id between the bounds.
const unsealedEvents = `SELECT e.event_id::text, e.report_id::text, e.sequence, e.hash
	FROM core_moderation_report_events e
	WHERE e.transaction_id >= $2::text::xid8 AND e.transaction_id <= $3::text::xid8 AND %s
	ORDER BY e.report_id, e.sequence LIMIT $1`

// The two queries for unsealed events. nextEvents looks each event up in the log by a scalar subquery, since for a join
// PostgreSQL would read the whole log if it expects many events. allEvents, from transaction 0, uses a join, which is
// faster there.
var (
	nextEvents = fmt.Sprintf(unsealedEvents, `(SELECT l.position FROM core_moderation_log l WHERE l.event_id = e.event_id) IS NULL`)
	allEvents  = fmt.Sprintf(unsealedEvents, `NOT EXISTS (SELECT FROM core_moderation_log l WHERE l.event_id = e.event_id)`)
)

// Seal seals one batch and returns the number of its events, or 0 if another server is sealing.
func (s *Sealer) Seal(ctx context.Context) (int, error) {
	var n int
	var last int64
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, sealLock).Scan(&mine); err != nil || !mine {
			return err
		}
		var from, through, next string
		if err := tx.QueryRow(ctx, scanBounds).Scan(&from, &through, &next); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM core_moderation_log`).Scan(&last); err != nil {
			return err
		}
		unsealed := nextEvents
		if from == "0" {
			unsealed = allEvents
		}
		records, err := postgres.Collect(ctx, tx, "find unsealed events", func(row pgx.CollectableRow) (r Record, err error) {
			return r, row.Scan(&r.EventID, &r.ReportID, &r.Sequence, &r.Hash)
		}, unsealed, sealBatch, from, through)
		if err != nil {
			return err
		}
		n = len(records)
		positions, ids, leaves := make([]int64, n), make([]string, n), make([][]byte, n)
		for i, r := range records {
			last++
			leaf := LeafHash(r)
			positions[i], ids[i], leaves[i] = last, r.EventID, leaf[:]
		}
		if n > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO core_moderation_log (position, event_id, leaf_hash)
				SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bytea[])`, positions, ids, leaves); err != nil {
				return err
			}
		}
		if n < sealBatch {
			_, err = tx.Exec(ctx, `UPDATE core_moderation_sealer SET lower_bound = $1::xid8 WHERE lower_bound <> $1::xid8`, next)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("seal: %w", err)
	}
	if n > 0 {
		s.sealed(last)
	}
	return n, nil
}

// SealAll seals every event that has no position, unless another server is sealing. It
// works on a restored log too.
func (s *Sealer) SealAll(ctx context.Context) error {
	if err := s.Restored(ctx); err != nil {
		return err
	}
	for {
		n, err := s.Seal(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
}

// LeafHash returns the event's leaf in the Merkle tree over the log. The leaf covers the
// event's report, sequence and hash. Leaf n is position n + 1.
func LeafHash(r Record) tlog.Hash {
	return tlog.RecordHash([]byte(fmt.Sprintf("%s %d %x\n", r.ReportID, r.Sequence, r.Hash)))
}

// Restored prepares the sealing of a log whose events have transaction ids of another cluster, as after pg_restore: the
// next scan begins at the start.
func (s *Sealer) Restored(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `UPDATE core_moderation_sealer SET lower_bound = '0'
		WHERE lower_bound > pg_snapshot_xmax(pg_current_snapshot())
		   OR EXISTS (SELECT 1 FROM core_moderation_report_events WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("look for a restored log: %w", err)
	}
	return nil
}
