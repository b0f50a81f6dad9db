package projections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore"
)

// Rebuilder holds the inline rows of all reports to the fold of their events,
// while commands and reads go on. A row that is as it should be is only read,
// so that a rebuild which was stopped goes on quickly where it was.
type Rebuilder struct {
	Pool    *pgxpool.Pool
	Workers int    // reports are worked side by side; at least 1
	Force   bool   // rewrite also rows that are as they should be
	After   string // begin behind this report's id; "" is from the start
	// Progress, if any, hears how many reports of about how many are done. It is
	// called from several goroutines.
	Progress func(done, total int64)
	// Found hears of each mismatch, one at a time.
	Found func(Mismatch)
}

// The bounds of a rebuild: reports read in one snapshot, and reports locked in
// one transaction, which their commands wait for.
const (
	readBatch  = 100
	writeBatch = 25
)

// firstID is below every report's id.
const firstID = "00000000-0000-0000-0000-000000000000"

// Rebuilt says what was done.
type Rebuilt struct {
	Reports    int64  // looked at
	Mismatched int64  // not the fold of their events
	Rewritten  int64  // by Rebuild
	Through    string // every report up to this id is done: Rebuilder.After goes on from it
}

// Verify compares every report with its events, in a snapshot for each batch.
func (r *Rebuilder) Verify(ctx context.Context) (Rebuilt, error) { return r.run(ctx, false) }

// Rebuild rewrites the reports that are not the fold of their events, each
// under its own lock. A report whose events cannot be folded is left as it is.
func (r *Rebuilder) Rebuild(ctx context.Context) (Rebuilt, error) { return r.run(ctx, true) }

func (r *Rebuilder) run(ctx context.Context, write bool) (Rebuilt, error) {
	run := &rebuildRun{Rebuilder: r, write: write}
	last := max(r.After, firstID)
	if err := r.Pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_reports WHERE id > $1`, last).Scan(&run.total); err != nil {
		return Rebuilt{}, fmt.Errorf("count reports: %w", err)
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(max(r.Workers, 1))
	for working.Err() == nil {
		ids, err := r.next(working, last)
		if err != nil {
			group.Go(func() error { return err })
			break
		}
		if len(ids) == 0 {
			break
		}
		last = ids[len(ids)-1]
		b := run.begin(last)
		group.Go(func() error {
			if err := run.batch(working, ids); err != nil {
				return err
			}
			run.finish(b, len(ids))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return run.done, err
	}
	return run.done, ctx.Err()
}

// next lists the reports after an id that have a row or an event.
func (r *Rebuilder) next(ctx context.Context, after string) ([]string, error) {
	rows, err := r.Pool.Query(ctx, `SELECT id::text FROM (
		(SELECT report_id AS id FROM core_moderation_report_events WHERE report_id > $1 AND sequence = 1 ORDER BY report_id LIMIT $2) UNION
		(SELECT id FROM core_moderation_reports WHERE id > $1 ORDER BY id LIMIT $2)) u ORDER BY u.id LIMIT $2`, after, readBatch)
	if err != nil {
		return nil, fmt.Errorf("list reports: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list reports: %w", err)
	}
	return ids, nil
}

// rebuildRun is one walk over all reports.
type rebuildRun struct {
	*Rebuilder
	write bool
	total int64

	mu   sync.Mutex
	done Rebuilt
	open []*openBatch // those that began, oldest first, up from the first that is not finished
}

type openBatch struct {
	last     string // id
	finished bool
}

func (r *rebuildRun) begin(last string) *openBatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &openBatch{last: last}
	r.open = append(r.open, b)
	return b
}

func (r *rebuildRun) finish(b *openBatch, reports int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b.finished = true
	for len(r.open) > 0 && r.open[0].finished {
		r.done.Through, r.open = r.open[0].last, r.open[1:]
	}
	r.done.Reports += int64(reports)
	if r.Progress != nil {
		r.Progress(r.done.Reports, max(r.total, r.done.Reports))
	}
}

// batch compares reports and rewrites what is to be.
func (r *rebuildRun) batch(ctx context.Context, ids []string) error {
	mismatches, err := r.compare(ctx, ids)
	if err != nil {
		return err
	}
	var wrong []string
	broken := map[string]bool{}
	for _, m := range mismatches {
		r.found(m)
		if m.Problem == "" {
			wrong = append(wrong, m.ReportID)
		} else {
			broken[m.ReportID] = true
		}
	}
	if !r.write {
		return nil
	}
	if r.Force {
		wrong = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return broken[id] })
	}
	for chunk := range slices.Chunk(wrong, writeBatch) {
		if err := Rewrite(ctx, r.Pool, chunk); err != nil {
			return err
		}
		r.mu.Lock()
		r.done.Rewritten += int64(len(chunk))
		r.mu.Unlock()
	}
	return nil
}

func (r *rebuildRun) found(m Mismatch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Mismatched++
	if r.Found != nil {
		r.Found(m)
	}
}

// compare reads rows, notes and events of the reports in one snapshot, so that
// a command in between makes no difference.
func (r *rebuildRun) compare(ctx context.Context, ids []string) ([]Mismatch, error) {
	var out []Mismatch
	err := pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		rows, err := readWhole(ctx, tx, ids)
		if err != nil {
			return err
		}
		streams, err := eventstore.LoadStreams(ctx, tx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if m, wrong := mismatch(id, rows, streams[id]); wrong {
				out = append(out, m)
			}
		}
		return nil
	})
	return out, err
}

func mismatch(id string, rows map[string]whole, records []eventstore.Record) (Mismatch, bool) {
	if len(records) == 0 {
		return Mismatch{ReportID: id, Problem: "it has a row and no events"}, true
	}
	want, err := foldWhole(records)
	if err != nil {
		return Mismatch{ReportID: id, Problem: err.Error()}, true
	}
	got, ok := rows[id]
	if !ok {
		return Mismatch{ReportID: id, Fields: []string{"Row"}}, true
	}
	fields := differences(want, got)
	return Mismatch{ReportID: id, Fields: fields}, len(fields) > 0
}

// rewriteAttempts is how often a rewrite runs that meets a deadlock.
const rewriteAttempts = 5

// Rewrite makes the rows of some reports the fold of their events, under their
// locks, which are taken in the order of ids.
func Rewrite(ctx context.Context, pool *pgxpool.Pool, ids []string) error {
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return rewrite(ctx, tx, ids) })
		var pg *pgconn.PgError
		if attempt < rewriteAttempts && errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001") {
			continue
		}
		if err != nil {
			return fmt.Errorf("rewrite reports from %s: %w", ids[0], err)
		}
		return nil
	}
}

func rewrite(ctx context.Context, tx pgx.Tx, ids []string) error {
	if _, err := tx.Exec(ctx, `SELECT 1 FROM core_moderation_reports WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`, ids); err != nil {
		return err
	}
	streams, err := eventstore.LoadStreams(ctx, tx, ids)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	for _, id := range ids {
		w, err := foldWhole(streams[id])
		if err != nil {
			return err
		}
		Inline{}.QueueRewrite(b, w.state, w.notes)
	}
	return tx.SendBatch(ctx, b).Close()
}
