package eventstore

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Walk visits all reports that have a row or an event, in the order of their ids.
type Walk struct {
	Pool    *pgxpool.Pool
	After   string // begin after this report's id; "" means from the start
	Batch   int    // reports at a time
	Workers int    // batches side by side; at least 1
}

// firstID is less than every report's id.
const firstID = "00000000-0000-0000-0000-000000000000"

// Each calls begin for one batch after the other and runs the work that it returns, up to
// Workers at a time. The first error ends the walk.
func (w Walk) Each(ctx context.Context, begin func(ids []string) (work func(context.Context) error)) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(max(w.Workers, 1))
	last := max(w.After, firstID)
	for working.Err() == nil {
		ids, err := w.next(working, last)
		if err != nil {
			group.Go(func() error { return err })
			break
		}
		if len(ids) == 0 {
			break
		}
		last = ids[len(ids)-1]
		work := begin(ids)
		group.Go(func() error { return work(working) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// next lists reports after an id. Its skip scan finds a report by any of its events, so
// a report whose row or first event is gone is found too.
func (w Walk) next(ctx context.Context, after string) ([]string, error) {
	return postgres.Collect(ctx, w.Pool, "list reports", pgx.RowTo[string], `WITH RECURSIVE streams AS (
			(SELECT report_id, 1 AS n FROM core_moderation_report_events WHERE report_id > $1 ORDER BY report_id LIMIT 1)
			UNION ALL
			SELECT (SELECT e.report_id FROM core_moderation_report_events e WHERE e.report_id > s.report_id ORDER BY e.report_id LIMIT 1), s.n + 1
			FROM streams s WHERE s.n < $2 AND s.report_id IS NOT NULL)
		SELECT id::text FROM (SELECT report_id AS id FROM streams WHERE report_id IS NOT NULL UNION
			(SELECT id FROM core_moderation_reports WHERE id > $1 ORDER BY id LIMIT $2)) u ORDER BY u.id LIMIT $2`, after, w.Batch)
}
