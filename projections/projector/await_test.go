package projector_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
)

func moveTo(t *testing.T, pool *pgxpool.Pool, position int64) {
	t.Helper()
	pgtest.Exec(t, pool, `INSERT INTO core_projections (name, build, version, state, position) VALUES ('counts', 1, 1, 'live', $1)
		ON CONFLICT (name, build) DO UPDATE SET position = EXCLUDED.position`, position)
}

// Given another server that follows the log step by step, when somebody waits for a
// position, then each step is shown and the wait ends at the position.
func TestAPositionIsAwaited(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	moveTo(t, pool, 10)
	var steps []int64
	require.NoError(t, projector.Await(t.Context(), pool, "counts", 40, projector.Options{Progress: func(done, total int64) {
		require.EqualValues(t, 30, total)
		steps = append(steps, done)
		moveTo(t, pool, 20+done)
	}}))
	require.Equal(t, []int64{0, 10, 20}, steps)
}

// Given a follower that makes no progress, then the wait ends and says how far behind it is.
func TestAFollowerThatStandsStillIsBehind(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var late *projector.BehindError
	require.ErrorAs(t, projector.Await(t.Context(), pool, "counts", 3, projector.Options{Wait: time.Millisecond}), &late)
	require.EqualValues(t, 3, late.Events, "it is not built yet")
	moveTo(t, pool, 10)
	require.ErrorAs(t, projector.Await(t.Context(), pool, "counts", 35, projector.Options{Wait: time.Millisecond}), &late)
	require.Equal(t, &projector.BehindError{Name: "counts", Events: 25}, late)
}

// Given rows that seem wrong while the follower is behind, when it has caught up, then only
// those that still differ are wrong.
func TestLateRowsAreComparedAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	moveTo(t, pool, 0)
	looks := 0
	d := projector.Derived[string]{Name: "counts", Batch: 1, Size: 2, Rows: `SELECT 2`,
		Apply: func(context.Context, pgx.Tx, int64, int64) (bool, error) { return false, nil },
		Keys: func(_ context.Context, _ postgres.Querier, after string, _ int) ([]string, error) {
			if after == "" {
				return []string{"late", "wrong"}, nil
			}
			return nil, nil
		},
		Compare: func(_ context.Context, _ pgx.Tx, keys []string) ([]string, error) {
			if looks++; looks == 1 {
				return keys, nil
			}
			return []string{"wrong"}, nil
		},
		Describe: strings.ToUpper}
	var found []string
	r, err := d.Verify(t.Context(), pool, projector.Options{Found: func(difference string) { found = append(found, difference) }})
	require.NoError(t, err)
	require.Equal(t, projector.Result{Compared: 2, Wrong: 1}, r)
	require.Equal(t, []string{"WRONG"}, found)
	require.Greater(t, looks, 2)
}

// Given two servers that complete their first rebuilds at once, then both have, and the later
// position stands.
func TestRebuildsMayEndAtOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for n := range 50 {
		name := fmt.Sprint("counts ", n)
		var servers errgroup.Group
		for _, position := range []int64{10, 20, 20, 10} {
			servers.Go(func() error { return projector.Built(t.Context(), pool, name, position) })
		}
		require.NoError(t, servers.Wait())
		require.NoError(t, projector.Await(t.Context(), pool, name, 20, projector.Options{Wait: time.Millisecond}))
	}
}
