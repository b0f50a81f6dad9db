package migrations_test

import (
	"context"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3/lock"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

const reportTables = 20261011193321 // the fixed name of their migration

func TestUpAndDownAndUpAgain(t *testing.T) {
	t.Parallel()
	pool := emptyPool(t)
	current, err := migrations.Docket.Current(t.Context(), pool)
	require.NoError(t, err)
	require.False(t, current)
	before, err := migrations.Docket.Status(t.Context(), pool)
	require.NoError(t, err)
	versions := map[string]int64{}
	for _, m := range before {
		require.True(t, m.Pending(), m.Name)
		versions[m.Name] = m.Version
	}
	require.Equal(t, int64(reportTables), versions["20261011193321_add_moderation_reports.sql"])
	require.Empty(t, tables(t, pool), "asking makes no table")

	applied, err := migrations.Docket.Up(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, applied, len(before))
	runner := pgtest.Begin(t, pool)
	pgtest.Exec(t, runner, `SELECT pg_advisory_xact_lock($1)`, lock.DefaultLockID)
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Second) // it would wait for the runner for minutes
	defer cancel()
	after, err := migrations.Docket.Status(soon, pool)
	require.NoError(t, err)
	require.NoError(t, runner.Rollback(t.Context()))
	require.Len(t, after, len(before))
	for _, m := range after {
		require.False(t, m.Pending(), m.Name)
	}
	current, err = migrations.Docket.Current(t.Context(), pool)
	require.NoError(t, err)
	require.True(t, current)
	schema := tables(t, pool)

	for range applied {
		reverted, err := migrations.Docket.Down(t.Context(), pool)
		require.NoError(t, err)
		require.NotNil(t, reverted)
	}
	reverted, err := migrations.Docket.Down(t.Context(), pool)
	require.NoError(t, err)
	require.Nil(t, reverted, "nothing is left to revert")
	require.Equal(t, []string{"goose_db_version"}, tables(t, pool), "each Down undoes its Up")

	again, err := migrations.Docket.Up(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, again, len(applied))
	require.Equal(t, schema, tables(t, pool))
}

func TestRunnersWaitForEachOther(t *testing.T) {
	t.Parallel()
	pool := emptyPool(t)
	var wg sync.WaitGroup
	counts := make([]int, 4)
	faults := make([]error, len(counts))
	for i := range counts {
		wg.Go(func() {
			applied, err := migrations.Docket.Up(t.Context(), pool)
			counts[i], faults[i] = len(applied), err
		})
	}
	wg.Wait()
	total := 0
	for i := range counts {
		require.NoError(t, faults[i])
		total += counts[i]
	}
	all, err := migrations.Docket.Status(t.Context(), pool)
	require.NoError(t, err)
	require.Equal(t, len(all), total, "each file is applied by one runner")
}

func TestMigrationThatArrivesLateIsApplied(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	all, err := migrations.Docket.Status(t.Context(), pool)
	require.NoError(t, err)
	late := all[0]
	require.Less(t, late.Version, int64(reportTables))
	pgtest.Exec(t, pool, "DELETE FROM goose_db_version WHERE version_id = $1", late.Version)

	current, err := migrations.Docket.Current(t.Context(), pool)
	require.NoError(t, err)
	require.False(t, current)
	_, err = migrations.Docket.Up(t.Context(), pool)
	require.ErrorContains(t, err, "already exists", "it is run, though a later one is applied")
}

// TestAnInterruptedIndexIsBuiltAnew leaves behind what a killed CREATE INDEX
// CONCURRENTLY does: an invalid index, and no record of the migration.
func TestAnInterruptedIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'core_moderation_report_events_actor'::regclass`
	pgtest.Exec(t, pool, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'core_moderation_report_events_actor'::regclass`)
	pgtest.Exec(t, pool, `DELETE FROM goose_db_version WHERE version_id = 20261012000001`)

	applied, err := migrations.Docket.Up(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, applied, 1)
	is := pgtest.One[bool](t, pool, valid)
	require.True(t, is)
}

// Given a request that has read one table, when a migration has changed another and waits
// for the first, and the request wants the other, then the migration gives way, and is
// applied once the request is done.
func TestAMigrationGivesWayToARequest(t *testing.T) {
	t.Parallel()
	pool := emptyPool(t)
	ctx := t.Context()
	pgtest.Exec(t, pool, `CREATE TABLE members (id int); CREATE TABLE sessions (id int)`)
	set := migrations.Plugin("blog", fstest.MapFS{"1_change.sql": {Data: []byte(
		"-- +goose Up\nALTER TABLE members ADD COLUMN n int;\nALTER TABLE sessions ADD COLUMN n int;\n-- +goose Down\nSELECT 1;\n")}})
	request := pgtest.Begin(t, pool)
	pgtest.Exec(t, request, `SELECT FROM sessions`)

	migrated := make(chan error, 1)
	go func() {
		_, err := set.Up(ctx, pool)
		migrated <- err
	}()
	// It has given way and waits anew. One that does not is beyond its own search for a
	// deadlock after these two seconds, so that the request would be the victim.
	waits := map[time.Time]bool{}
	pgtest.Eventually(t, func() bool {
		var began *time.Time
		var long bool
		require.NoError(t, pool.QueryRow(ctx, `SELECT max(waitstart), coalesce(max(clock_timestamp() - waitstart) > interval '2 seconds', false)
			FROM pg_locks WHERE NOT granted AND relation = 'sessions'::regclass`).Scan(&began, &long))
		if began != nil {
			waits[*began] = true
		}
		return len(waits) == 2 || long
	}, "the migration waits for the request")
	_, err := request.Exec(ctx, `SELECT FROM members`)
	require.NoError(t, err, "the request is served")
	require.NoError(t, request.Commit(ctx))

	require.NoError(t, <-migrated)
	current, err := set.Current(ctx, pool)
	require.NoError(t, err)
	require.True(t, current)
}

func emptyPool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.Open(t, pgtest.Empty(t), postgres.Options{MaxConns: 2})
	return pool
}

func tables(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	var names []string
	err := pool.QueryRow(t.Context(),
		`SELECT array_agg(tablename::text ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'`).Scan(&names)
	require.NoError(t, err)
	return names
}
