package cmd

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
)

func TestProjectionsVerifyAndRebuild(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	whole := docket(t, l.environment, "projections", "verify")
	require.Equal(t, 0, whole.status, whole.stderr)
	require.Equal(t, "reports: 1 compared, 0 wrong\ncases: 1 compared, 0 wrong\ncounts: 1 compared, 0 wrong\nfingerprints: 1 compared, 0 wrong\nrules: not built yet\nseconds: not built yet\ntargets: not built yet\nreporters: not built yet\ndaily: not built yet\npolicies: not built yet\n", whole.stdout)

	l.sql(t, `UPDATE core_moderation_reports SET title = 'other'`)
	wrong := docket(t, l.environment, "projections", "verify", "reports")
	require.Equal(t, 1, wrong.status)
	require.Equal(t, "report "+l.report+": [Title] differ from the fold of its events\nreports: 1 compared, 1 wrong\n", wrong.stdout)

	mended := docket(t, l.environment, "projections", "rebuild")
	require.Equal(t, 0, mended.status, mended.stderr)
	require.Contains(t, mended.stdout, "reports: 1 compared, 1 wrong, 1 rewritten\ncases: rebuilt\ncounts: rebuilt\nfingerprints: rebuilt\nrules: rebuilt\nseconds: rebuilt\ntargets: rebuilt\nreporters: rebuilt\ndaily: rebuilt\npolicies: rebuilt\n")
	built := docket(t, l.environment, "projections", "verify")
	require.Equal(t, 0, built.status, built.stderr)
	require.Contains(t, built.stdout, "targets: 1 compared, 0 wrong\n")

	l.sql(t, `UPDATE core_projected_targets_1 SET filed = 7`)
	require.Contains(t, docket(t, l.environment, "projections", "verify", "targets").stdout, "targets: 1 compared, 2 wrong\n")
	require.Equal(t, 0, docket(t, l.environment, "projections", "rebuild", "targets").status)
	require.Equal(t, 0, docket(t, l.environment, "projections", "verify").status)

	for _, args := range [][]string{{"rebuild", "--workers", "0"}, {"rebuild", "other"}, {"resume"}} {
		require.Equal(t, 2, docket(t, l.environment, append([]string{"projections"}, args...)...).status)
	}
}

func TestProjectionsStatus(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	require.Equal(t, 0, docket(t, l.environment, "projections", "rebuild").status)
	status := docket(t, l.environment, "projections", "status")
	require.Equal(t, 0, status.status, status.stderr)
	lines := strings.Split(strings.TrimSpace(status.stdout), "\n")
	require.Len(t, lines, 8)
	require.Equal(t, []string{"daily", "1", "3", "live", "1", "0", "0s", "-"}, strings.Fields(lines[3]))

	l.sql(t, `UPDATE core_projections SET paused_at = now(), paused_why = 'position 2: poison' WHERE name = 'daily'`)
	paused := docket(t, l.environment, "projections", "status", "--json")
	require.Equal(t, 1, paused.status)
	require.Contains(t, paused.stderr, "daily is paused at position 2: poison")
	require.Equal(t, 0, docket(t, l.environment, "projections", "resume", "daily").status)
	require.Equal(t, 2, docket(t, l.environment, "projections", "verify", "--after", "x").status)
	require.Equal(t, 0, docket(t, l.environment, "projections", "status").status)
}

// sql changes the database behind Docket's back.
func (l *logged) sql(t *testing.T, sql string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.environment["DATABASE_URL"])
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	pgtest.Exec(t, conn, sql, args...)
}

// Given a server that holds cases and counts but does not get on, when they are verified, then
// they are behind and nothing is called wrong. When it has caught up, then all is right.
func TestVerifyNamesWhatIsBehind(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	require.Equal(t, 0, docket(t, l.environment, "projections", "rebuild").status)
	require.Equal(t, 0, docket(t, l.environment, "projections", "verify").status)
	server := pgtest.Begin(t, l.pool)
	for _, name := range []string{"cases", "counts"} {
		require.NoError(t, projector.Lock(t.Context(), server, name))
	}
	l.sql(t, `UPDATE core_projections SET position = 0 WHERE name IN ('cases', 'counts')`)
	l.sql(t, `DELETE FROM core_moderation_cases`)

	late := docket(t, l.environment, "projections", "verify", "--wait", "10ms")
	require.Equal(t, 1, late.status)
	require.Contains(t, late.stdout, "cases: 1 events behind, not compared\ncounts: 1 events behind, not compared\n")
	require.NotContains(t, late.stdout, "case of")
	require.Contains(t, late.stderr, "verify again when the servers have caught up")
	require.NotContains(t, late.stderr, "docket projections rebuild corrects them")

	require.NoError(t, server.Commit(t.Context()))
	whole := docket(t, l.environment, "projections", "verify", "--wait", "10ms")
	require.Equal(t, 0, whole.status, whole.stdout+whole.stderr)
	require.Contains(t, whole.stdout, "cases: 1 compared, 0 wrong\ncounts: 1 compared, 0 wrong\n")
}
