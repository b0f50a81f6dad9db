package projector_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// runs is a server's, on connections of its own; each look at its clock is a second
// later than the one before.
func runs(t *testing.T, h *logtest.Database, connections int32) *projector.Runs {
	t.Helper()
	config := h.Pool.Config()
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	now := func() time.Time { h.Wait(time.Second); return h.Clock() }
	all := projector.New(pool, zerolog.Nop(), prometheus.NewRegistry(), append(statistics.Projections, projections.Inline{})...)
	return projector.NewRuns(pool, all, now, func(context.Context, pgx.Tx, string) error { return nil })
}

func request(t *testing.T, h *logtest.Database, r *projector.Runs, name string, work projector.Work) string {
	t.Helper()
	run, err := r.Request(t.Context(), name, work, h.Users[0])
	require.NoError(t, err)
	return run.ID
}

func latest(t *testing.T, r *projector.Runs) []projector.Run {
	t.Helper()
	all, err := r.Latest(t.Context())
	require.NoError(t, err)
	return all
}

// TestRunsLeaveThePoolToTheirWork does all there are at once on a pool with just the
// two connections that a rebuild's workers use.
func TestRunsLeaveThePoolToTheirWork(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.Worked(t, 0, "1")
	h.Follow(t, statistics.Projections...)
	r := runs(t, h, 2)
	var ids []string
	for _, name := range []string{"reports", "targets", "reporters", "daily"} {
		ids = append(ids, request(t, h, r, name, projector.WorkVerify), request(t, h, r, name, projector.WorkRebuild))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.Equal(t, map[domain.Code]int{"": len(ids)}, platformtest.Outcomes(len(ids), func(i int) error { return r.Do(ctx, ids[i], false) }))
	done := latest(t, r)
	require.Len(t, done, len(ids))
	slices.SortFunc(done, func(a, b projector.Run) int { return time.Time(*a.StartedAt).Compare(time.Time(*b.StartedAt)) })
	for i, run := range done {
		require.NotNil(t, run.FinishedAt, run.Name)
		require.Nil(t, run.Error, run.Name)
		if i > 0 {
			require.Less(t, time.Time(*done[i-1].FinishedAt), time.Time(*run.StartedAt), "one at a time")
		}
	}
	require.Eventually(t, func() bool {
		var locks int
		err := h.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks
			WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&locks)
		return err == nil && locks == 0
	}, time.Minute, 10*time.Millisecond)
}

// elsewhere holds a run as a server does that is at it.
func elsewhere(t *testing.T, h *logtest.Database, runID string) (gone func()) {
	t.Helper()
	conn, err := h.Pool.Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	pgtest.Exec(t, conn, `SELECT pg_advisory_lock(hashtextextended('docket:projection-run:' || $1, 0))`, runID)
	return func() {
		pgtest.Exec(t, conn, `SELECT pg_advisory_unlock_all()`)
	}
}

// A server whose lease has ended keeps its run for a while, and the task is
// another's: whoever has the task does not call it done.
func TestARunThatAnotherServerKeepsIsTriedAgain(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	r := runs(t, h, 2)
	r.Patience = time.Millisecond
	id := request(t, h, r, "reports", projector.WorkVerify)
	gone := elsewhere(t, h, id)

	for _, last := range []bool{false, true} {
		require.ErrorContains(t, r.Do(t.Context(), id, last), "another server is working on it")
		run := latest(t, r)[0]
		require.Nil(t, run.StartedAt)
		require.Nil(t, run.FinishedAt, "the other may end it yet")
	}

	gone()
	require.NoError(t, r.Do(t.Context(), id, false))
	finished := latest(t, r)[0].FinishedAt
	require.NotNil(t, finished)
	require.NoError(t, r.Do(t.Context(), id, false))
	require.Equal(t, finished, latest(t, r)[0].FinishedAt, "it is done once")
}

func TestARunWaitsForTheServerThatLosesIt(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	r := runs(t, h, 2)
	r.Patience = time.Minute
	id := request(t, h, r, "reports", projector.WorkVerify)
	gone := elsewhere(t, h, id)
	done := make(chan error, 1)
	go func() { done <- r.Do(t.Context(), id, false) }()
	require.Eventually(t, func() bool {
		var waiting bool
		err := h.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'idle' AND query LIKE '%pg_try_advisory_lock%')`).Scan(&waiting)
		return err == nil && waiting
	}, time.Minute, 5*time.Millisecond)

	gone()

	require.NoError(t, <-done)
	require.NotNil(t, latest(t, r)[0].FinishedAt)
}
