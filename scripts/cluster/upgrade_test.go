//go:build cluster

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given two Dockets of the release before under load, when this one's migrations are
// applied and the servers are replaced one by one, then no request fails.
func TestRollingUpgradeFailsNoRequest(t *testing.T) {
	requests := 100_000
	if given := os.Getenv("REQUESTS"); given != "" {
		var err error
		requests, err = strconv.Atoi(given)
		require.NoError(t, err, "REQUESTS")
	}
	old, drains := oldBinary(t)
	ctx := t.Context()
	host, signer := identity(t)
	require.NoError(t, running.makeDatabase(ctx, "upgraded"))
	more := settings("upgraded", append(host, "DOCKET_BROKER_URL=")...)
	startDockets(t, old, more...)
	l := &load{site: newSite(t, "upgraded", signer), browse: true}
	l.site.client.Timeout = 30 * time.Second
	l.start(t, 8)
	began := time.Now()
	reach := func(share float64, what string) {
		t.Helper()
		l.reach(ctx, int64(float64(requests)*share))
		t.Logf("%7d requests after %5.1f s: %s", l.requests.Load(), time.Since(began).Seconds(), what)
	}

	reach(0.1, "migrating, beside two old servers")
	t.Log(strings.ReplaceAll(strings.TrimSpace(docket(t, more, "migrate", "up")), "\n", "; "))
	reach(0.3, "two old servers on the new schema; replacing the first")
	replace := func(i int) {
		server := "docket/" + running.Docket[i].Name
		if !drains { // then the proxy has to
			_, err := running.tellProxy(ctx, "set server "+server+" state drain")
			require.NoError(t, err)
			l.reach(ctx, l.requests.Load()+200) // those that were under way have ended
		}
		require.NoError(t, running.docket[i].stop(30*time.Second))
		require.NoError(t, running.startDocket(ctx, i, binary, more...))
		require.NoError(t, running.see(ctx, server))
		require.NoError(t, running.proxySees(ctx, "docket", running.Docket[i].Name))
	}
	c := newCommands(t, "upgraded", l.site)
	c.commandAll()
	replace(0)
	c.readAll(running.Docket[0].Port)
	reach(0.5, "one of each; replacing the second")
	replace(1)
	ended := time.Now()
	reach(0.7, "two new servers; restarting the first")
	drains = true
	replace(0)
	reach(1, "two new servers")
	l.stop()

	require.Empty(t, l.wrong)
	require.Empty(t, l.failures)
	t.Logf("%d requests, none failed; %d reports from filed to resolved", l.requests.Load(), len(l.finished))
	l.check(ctx, t, "upgraded")
	mended(t, "upgraded")
	// A release from before signatures leaves unsigned events for as long as it runs.
	for _, args := range [][]string{{"audit", "verify", "--signed-from", firstAfter(t, "upgraded", ended)}, {"projections", "verify"}} {
		t.Logf("docket %s: %s", strings.Join(args, " "), strings.TrimSpace(docket(t, more, args...)))
	}
}

// mended waits for the job that stores what the servers of the release before left out of rows.
func mended(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	require.Eventually(t, func() bool {
		var behind bool
		err := conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM core_moderation_reports WHERE folded <> sequence)`).Scan(&behind)
		return err == nil && !behind
	}, 3*time.Minute, time.Second)
}

// firstAfter returns the log's first position whose event, and all that follow, came about
// after the moment.
func firstAfter(t *testing.T, database string, moment time.Time) string {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, running.databaseURL("docket", database))
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	position := pgtest.One[string](t, conn, `SELECT (max(l.position) + 1)::text FROM core_moderation_log l
		JOIN core_moderation_report_events e USING (event_id) WHERE e.occurred_at <= $1`, moment)
	return position
}

// oldBinary builds the revision that OLD names. It reports whether that knows DOCKET_DRAIN.
func oldBinary(t *testing.T) (path string, drains bool) {
	t.Helper()
	revision := os.Getenv("OLD")
	require.NotEmpty(t, revision, "OLD: name the release to upgrade from, as make test-cluster does")
	dir := t.TempDir()
	archive := exec.CommandContext(t.Context(), "sh", "-c", `git -C "$(git rev-parse --show-toplevel)" archive "$1" | tar -x -C "$2"`, "sh", revision, dir)
	out, err := archive.CombinedOutput()
	require.NoError(t, err, "%s", out)
	path = filepath.Join(dir, "bin", "docket")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./cmd/docket")
	build.Dir = dir
	out, err = build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("the release before is %s", revision)
	program, err := os.ReadFile(path)
	require.NoError(t, err)
	return path, bytes.Contains(program, []byte("DOCKET_DRAIN"))
}

// reach waits until so many requests were made. A request that failed ends the test.
func (l *load) reach(ctx context.Context, requests int64) {
	l.t.Helper()
	for l.requests.Load() < requests {
		l.mu.Lock()
		wrong, failures := l.wrong, l.failures
		l.mu.Unlock()
		require.Empty(l.t, wrong)
		require.Empty(l.t, failures)
		select {
		case <-ctx.Done():
			require.NoError(l.t, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
