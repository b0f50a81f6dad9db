package projections_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// queueFiling stores a report of post 1 that was captured in the category.
func queueFiling(b *pgx.Batch, category string) {
	now := time.Now()
	id := uuid.NewString()
	created := &report.Created{Target: report.Target{PluginID: "forum", Type: "forum.post", ID: "1", PermissionModule: "posts",
		Scope: &scope.Resource{Family: "forum.category", ID: category}}}
	projections.Inline{}.QueueFilings(b, []*eventstore.Opening{{Created: created, State: report.State{
		ID: id, Status: report.New, Version: 1, Sequence: 1, Reason: report.Spam, Locale: "en", RequestedLocale: "en",
		Target: created.Target, Snapshot: []byte(`{}`), CreatedAt: now, UpdatedAt: now,
	}}}, time.Hour)
}

func requireCounted(t *testing.T, pool *pgxpool.Pool, want map[string]int) {
	t.Helper()
	for category, n := range want {
		c := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: []string{category}}}}
		page, err := projections.NewReports(pool).List(t.Context(), c, projections.Filter{}, parse(t, ""))
		require.NoError(t, err)
		require.Len(t, page.Edges, n, category)
		require.Equal(t, n, *page.PageInfo.TotalCount, category)
		counts, err := projections.NewReports(pool).Counts(t.Context(), c, projections.Filter{}, uuid.NewString())
		require.NoError(t, err)
		require.Equal(t, n, counts.New, category)
	}
}

// TestCountsFollowAMoveThatAFilingOverlaps commits the two in either order,
// with each of them first to the target's row.
func TestCountsFollowAMoveThatAFilingOverlaps(t *testing.T) {
	t.Parallel()
	file := func(ctx context.Context, tx pgx.Tx) error {
		b := &pgx.Batch{}
		queueFiling(b, "general")
		return tx.SendBatch(ctx, b).Close()
	}
	move := func(ctx context.Context, tx pgx.Tx) error { return logtest.Move(ctx, tx, "1", "support") }

	for name, c := range map[string]struct {
		reported bool // before, in general
		first    func(context.Context, pgx.Tx) error
		second   func(context.Context, pgx.Tx) error
		waits    bool // the second for the first
		want     map[string]int
	}{
		"a move of what is not reported yet, then the filing": {false, move, file, true, map[string]int{"general": 0, "support": 1}},
		"the first filing, then a move":                       {false, file, move, true, map[string]int{"general": 0, "support": 1}},
		"a move of what is reported, then another filing":     {true, move, file, true, map[string]int{"general": 0, "support": 2}},
		"another filing, then a move":                         {true, file, move, false, map[string]int{"general": 0, "support": 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			if c.reported {
				b := &pgx.Batch{}
				queueFiling(b, "general")
				require.NoError(t, pool.SendBatch(t.Context(), b).Close())
			}
			first := pgtest.Begin(t, pool)
			require.NoError(t, c.first(t.Context(), first))

			var second errgroup.Group
			second.Go(func() error {
				return pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return c.second(t.Context(), tx) })
			})
			if c.waits {
				pgtest.AwaitLock(t, pool)
				require.NoError(t, first.Commit(t.Context()))
				require.NoError(t, second.Wait())
			} else {
				require.NoError(t, second.Wait())
				require.NoError(t, first.Commit(t.Context()))
			}
			requireCounted(t, pool, c.want)
		})
	}
}
