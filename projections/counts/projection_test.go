package counts_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/scripts/fill/history"
)

// rebuildURL names the database that the process rebuilds instead of running tests.
const rebuildURL = "DOCKET_TEST_REBUILD_COUNTS"

// TestMain also is the server that aKilledRebuild kills.
func TestMain(m *testing.M) {
	if url := os.Getenv(rebuildURL); url != "" {
		pool, err := pgxpool.New(context.Background(), url)
		if err == nil {
			_, err = counts.Projection.Rebuild(context.Background(), pool, projector.Options{})
		}
		fmt.Fprintln(os.Stderr, "rebuilt", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// manyReports are more than Rebuild counts in two transactions.
const manyReports = 4100

func TestRebuildsOfManyReports(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	_, err := history.Forum(t.Context(), d.Pool, history.Size{Reports: manyReports, Cases: 100}, nil, nil)
	require.NoError(t, err)
	t.Run("a killed one", func(t *testing.T) { aKilledRebuild(t, d) })
	t.Run("while reports change", func(t *testing.T) { reportsChangeDuringARebuild(t, d) })
}

func uncount(t *testing.T, d *logtest.Database) {
	t.Helper()
	d.SQL(t, `TRUNCATE core_moderation_counts, core_moderation_counted`)
	d.SQL(t, `DELETE FROM core_projections WHERE name = 'counts'`)
}

// Given many reports that are not counted, or counted wrongly, when others are filed, claimed,
// moved and followed during a rebuild, then all are counted once.
func reportsChangeDuringARebuild(t *testing.T, d *logtest.Database) {
	reports := manyReports
	for name, given := range map[string]func(){
		"nothing is counted": func() { uncount(t, d) },
		"a figure is wrong":  func() { d.SQL(t, `UPDATE core_moderation_counts SET reports = reports + 3 WHERE status <> 'done'`) },
		"a kind is lost":     func() { d.SQL(t, `DELETE FROM core_moderation_counts WHERE status = 'done'`) },
		"a report has no row": func() {
			d.SQL(t, `INSERT INTO core_moderation_counted SELECT gen_random_uuid(), min(id) FROM core_moderation_counts`)
			d.SQL(t, `UPDATE core_moderation_counts SET reports = reports + 1 WHERE id = (SELECT min(id) FROM core_moderation_counts)`)
		},
	} {
		given()
		var done, total int64
		pieces, descending := 0, false
		rebuilt := make(chan error, 1)
		n := 0
		change := func() {
			d.Wait(time.Hour) // so that no limit applies
			target := uuid.NewString()
			id := d.File(t, n%4, target, logtest.In(general))
			d.Claim(t, id, (n+1)%4)
			if n%2 == 0 {
				move(t, d, target, support)
			}
			n++
		}
		change()
		change()
		go func() {
			_, err := counts.Projection.Rebuild(t.Context(), d.Pool, projector.Options{Progress: func(d, all int64) {
				descending = descending || d <= done
				done, total, pieces = d, all, pieces+1
			}})
			rebuilt <- err
		}()
		err, over := error(nil), false
		for !over {
			d.Follow(t, counts.Projection)
			change()
			select {
			case err = <-rebuilt:
				over = true
			default:
			}
		}
		reports += n

		require.False(t, descending, name)
		require.NoError(t, err, name)
		require.Greater(t, pieces, 2, name)
		require.GreaterOrEqual(t, done, int64(manyReports), name)
		require.Equal(t, done, total, name)
		d.Follow(t, counts.Projection)
		requireVerified(t, d, reports)
	}
}

// Given a server that is killed in the middle of the first rebuild, then what it counted
// stays, nobody reads it, and another server counts the rest.
func aKilledRebuild(t *testing.T, d *logtest.Database) {
	want := kinds(t, d.Pool)
	uncount(t, d)
	tx, err := d.Pool.Begin(t.Context()) // stops the second of its transactions
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	pgtest.Exec(t, tx, `INSERT INTO core_moderation_counted SELECT id, 0 FROM core_moderation_reports ORDER BY id OFFSET 3000 LIMIT 1`)
	server := exec.CommandContext(t.Context(), os.Args[0])
	server.Env = append(os.Environ(), rebuildURL+"="+d.Pool.Config().ConnString())
	require.NoError(t, server.Start())
	pgtest.Eventually(t, func() bool {
		return pgtest.One[bool](t, d.Pool, `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
			WHERE a.datname = current_database() AND NOT l.granted)`)
	}, "the server waits in its second transaction")

	require.NoError(t, server.Process.Kill())
	require.Error(t, server.Wait())
	require.NoError(t, tx.Rollback(t.Context()))

	var counted, stored int
	var some, all, more bool
	require.NoError(t, d.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM core_moderation_counted),
		(SELECT sum(reports) FROM core_moderation_counts), `+counts.MoreThan(0)).Scan(&counted, &stored, &some))
	require.Equal(t, []int{2000, 2000}, []int{counted, stored})
	require.False(t, some, "counts are not read before they are complete")
	pgtest.Eventually(t, func() bool {
		// The session of the killed server may still hold its lock.
		d.CatchUp(t, counts.Projection)
		require.NoError(t, d.Pool.QueryRow(t.Context(), `SELECT `+counts.MoreThan(manyReports-1)+`, `+counts.MoreThan(manyReports)).Scan(&all, &more))
		return all
	}, "another server has counted the rest")
	require.False(t, more)
	require.Equal(t, want, kinds(t, d.Pool))
	requireVerified(t, d, manyReports)
}

// A query that orders by the id's text sorts every report for each page.
func TestARebuildWalksReportsInTheOrderOfTheKey(t *testing.T) {
	t.Parallel()
	tx := pgtest.Begin(t, pgtest.New(t))
	pgtest.Exec(t, tx, `SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off`)
	lines := pgtest.All[string](t, tx, `EXPLAIN `+counts.NextReports, uuid.Nil, 200)
	plan := strings.Join(lines, "\n")
	require.Contains(t, plan, "core_moderation_reports_pkey", plan)
	require.Contains(t, plan, "core_moderation_counted_pkey", plan)
	require.Equal(t, 1, strings.Count(plan, "Sort  ("), "only what the page holds is sorted: %s", plan)
}
