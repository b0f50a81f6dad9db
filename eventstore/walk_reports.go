package eventstore

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Walk visits all reports that have a row or an event, by id.
type Walk struct {
	Pool    *pgxpool.Pool
	After   string // begin after this report's id; "" means from the start
	Batch   int    // reports at a time
	Workers int    // batches side by side; at least 1
}

// firstID is the least id. No server assigns it, but somebody with SQL may.
const firstID = "00000000-0000-0000-0000-000000000000"

// batchesAtOnce is how many batches per worker are listed at once. A walk lists more when all of them are done.
const batchesAtOnce = 4

// Each calls do for each batch, up to Workers at a time. The first error ends the walk. It returns the id up to which
// every report was visited without an error.
func (w Walk) Each(ctx context.Context, do func(ctx context.Context, ids []string) error) (through string, err error) {
	workers := max(w.Workers, 1)
	for through = w.After; ; {
		ids, err := w.next(ctx, through, batchesAtOnce*workers*w.Batch)
		if err != nil || len(ids) == 0 {
			return through, err
		}
		group, working := errgroup.WithContext(ctx)
		group.SetLimit(workers)
		for batch := range slices.Chunk(ids, w.Batch) {
			group.Go(func() error {
				if err := working.Err(); err != nil {
					return err
				}
				return do(working, batch)
			})
		}
		if err := group.Wait(); err != nil {
			return through, err
		}
		through = ids[len(ids)-1]
	}
}

// next lists reports after an id, or from the first if it is "". Its skip scan finds a report by any of its events,
// even if its row or first event is missing.
func (w Walk) next(ctx context.Context, after string, limit int) ([]string, error) {
	later := ">"
	if after == "" {
		after, later = firstID, ">="
	}
	return postgres.Collect(ctx, w.Pool, "list reports", pgx.RowTo[string], `WITH RECURSIVE streams AS (
			(SELECT report_id, 1 AS n FROM core_moderation_report_events WHERE report_id `+later+` $1 ORDER BY report_id LIMIT 1)
			UNION ALL
			SELECT (SELECT e.report_id FROM core_moderation_report_events e WHERE e.report_id > s.report_id ORDER BY e.report_id LIMIT 1), s.n + 1
			FROM streams s WHERE s.n < $2 AND s.report_id IS NOT NULL)
		SELECT id::text FROM (SELECT report_id AS id FROM streams WHERE report_id IS NOT NULL UNION
			(SELECT id FROM core_moderation_reports WHERE id `+later+` $1 ORDER BY id LIMIT $2)) u ORDER BY u.id LIMIT $2`, after, limit)
}
