package main

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestProjectionsVerifyAndRebuild(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	whole := docket(t, l.environment, "projections", "verify")
	require.Equal(t, 0, whole.status, whole.stderr)
	require.Equal(t, "1 reports compared, 0 wrong\n", whole.stdout)

	l.sql(t, `UPDATE core_moderation_reports SET title = 'other'`)
	wrong := docket(t, l.environment, "projections", "verify")
	require.Equal(t, 1, wrong.status)
	require.Equal(t, "report "+l.report+": [Title] differ from the fold of its events\n1 reports compared, 1 wrong\n", wrong.stdout)

	mended := docket(t, l.environment, "projections", "rebuild")
	require.Equal(t, 0, mended.status, mended.stderr)
	require.Contains(t, mended.stdout, "1 reports, 1 wrong, 1 rewritten\n")
	require.Equal(t, 0, docket(t, l.environment, "projections", "verify").status)
	require.Equal(t, 2, docket(t, l.environment, "projections", "rebuild", "--workers", "0").status)
}

// sql changes the database behind Docket's back.
func (l *logged) sql(t *testing.T, sql string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.environment["DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}
