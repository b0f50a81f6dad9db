package subscribers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers"
)

// stats counts the reports on posts of each category. It writes in the event's own
// transaction, so an event that is delivered again is still counted once.
var stats = plugin.Plugin{
	ID: "stats",
	Listeners: []event.Listener{{
		Group:  "stats.report-counts",
		Events: []string{event.ReportCreated},
		Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
			created, err := event.Decode[event.Created](e)
			if err != nil || created.TargetType != "forum.post" {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO stats_report_counts (category, reports)
				SELECT category_id, 1 FROM forum_posts WHERE id = $1::bigint
				ON CONFLICT (category) DO UPDATE SET reports = stats_report_counts.reports + 1`, created.TargetID)
			return err
		},
	}},
}

func TestExampleListenerCountsReportsByCategory(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, sql := range []string{
		`CREATE TABLE forum_posts (id bigint PRIMARY KEY, category_id text NOT NULL)`,
		`CREATE TABLE stats_report_counts (category text PRIMARY KEY, reports int NOT NULL)`,
		`INSERT INTO forum_posts VALUES (1, 'general'), (2, 'general'), (3, 'support')`,
	} {
		pgtest.Exec(t, pool, sql)
	}
	router, err := subscribers.NewRouter(pool, subscribers.Config{PollInterval: 5 * time.Millisecond}, stats.Listeners...)
	require.NoError(t, err)
	platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, router.Run(ctx)) })

	for _, post := range []int{1, 3, 2, 1} {
		report(t, pool, post)
	}
	pgtest.Eventually(t, func() bool {
		var general, support int
		err := pool.QueryRow(t.Context(), `SELECT coalesce(sum(reports) FILTER (WHERE category = 'general'), 0),
			coalesce(sum(reports) FILTER (WHERE category = 'support'), 0) FROM stats_report_counts`).Scan(&general, &support)
		return err == nil && general == 3 && support == 1
	}, "reports are counted by category")
}

// report publishes what the filing of a report does.
func report(t *testing.T, pool *pgxpool.Pool, post int) {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	batch := &pgx.Batch{}
	require.NoError(t, outbox.Queue(batch, outbox.Message{
		ID: id, Name: event.ReportCreated, ReportID: id.String(), Sequence: 1, PluginID: "forum", OccurredAt: time.Now(),
		Payload: fmt.Appendf(nil, `{"reportId":%q,"pluginId":"forum","targetType":"forum.post","targetId":"%d","reason":"spam"}`, id, post),
	}))
	require.NoError(t, pool.SendBatch(t.Context(), batch).Close())
}
