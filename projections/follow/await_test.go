package follow_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/follow"
)

func moveTo(t *testing.T, pool *pgxpool.Pool, position int64) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `INSERT INTO core_projections (name, build, version, state, position) VALUES ('counts', 1, 1, 'live', $1)
		ON CONFLICT (name, build) DO UPDATE SET position = EXCLUDED.position`, position)
	require.NoError(t, err)
}

// Given another server that follows the log step by step, when somebody waits for a
// position, then each step is shown and the wait ends at the position.
func TestAPositionIsAwaited(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	moveTo(t, pool, 10)
	var steps []int64
	require.NoError(t, follow.Await(t.Context(), pool, "counts", 40, time.Minute, func(done, total int64) {
		require.EqualValues(t, 30, total)
		steps = append(steps, done)
		moveTo(t, pool, 20+done)
	}))
	require.Equal(t, []int64{0, 10, 20}, steps)
}

// Given a follower that makes no progress, then the wait ends and says how far behind it is.
func TestAFollowerThatStandsStillIsBehind(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var late *follow.BehindError
	require.ErrorAs(t, follow.Await(t.Context(), pool, "counts", 3, time.Millisecond, nil), &late)
	require.EqualValues(t, 3, late.Events, "it is not built yet")
	moveTo(t, pool, 10)
	require.ErrorAs(t, follow.Await(t.Context(), pool, "counts", 35, time.Millisecond, nil), &late)
	require.Equal(t, &follow.BehindError{Name: "counts", Events: 25}, late)
}

// Given rows that seem wrong while the follower is behind, when it has caught up, then only
// those that still differ are wrong.
func TestLateRowsAreComparedAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	moveTo(t, pool, 0)
	checks := 0
	wrong, err := follow.Recheck(t.Context(), pool, "counts", []string{"late", "wrong"}, func(rows []string) ([]string, error) {
		checks++
		return []string{"wrong"}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"wrong"}, wrong)
	require.Greater(t, checks, 1)
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
			servers.Go(func() error { return follow.Built(t.Context(), pool, name, position) })
		}
		require.NoError(t, servers.Wait())
		require.NoError(t, follow.Await(t.Context(), pool, name, 20, time.Millisecond, nil))
	}
}
