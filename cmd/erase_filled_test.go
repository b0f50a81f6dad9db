package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/scripts/fill/history"
)

// Given many decided and open reports of targets by the same authors, and no server, when
// their words are erased by age, by report and by account, then after each erasure every read
// model is what the log makes of it, and so it is after a rebuild.
func TestReadModelsAreRightAfterAnErasure(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 4})
	_, err := history.Forum(ctx, pool, history.Size{Reports: 610, Cases: 150}, nil, nil)
	require.NoError(t, err)
	sound := func(after string) {
		t.Helper()
		got := docket(t, environment, "projections", "verify")
		require.Equal(t, 0, got.status, "after %s: %s%s", after, got.stdout, got.stderr)
	}
	sound("filling")
	signedFrom := one[string](t, pool, `SELECT (max(position) + 1)::text FROM core_moderation_log`) // the history is not signed
	median := one[string](t, pool, `SELECT (now() - percentile_disc(0.5) WITHIN GROUP (ORDER BY resolved_at))::text FROM core_moderation_reports WHERE status = 'done'`)
	hours := one[string](t, pool, `SELECT (extract(epoch FROM $1::interval)::int)::text || 's'`, median)
	author := one[string](t, pool, `SELECT author FROM core_moderation_report_authors GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`)
	open := one[string](t, pool, `SELECT r.id::text FROM core_moderation_reports r WHERE status <> 'done' ORDER BY created_at LIMIT 1`)

	for _, args := range [][]string{{"--older-than", hours}, {"--user", author, "--authored"}, {"--report", open}, {"--older-than", "0s"}} {
		erased := docket(t, environment, append([]string{"erase"}, args...)...)
		require.Equal(t, 0, erased.status, erased.stderr)
		require.NotContains(t, erased.stdout, "of 0 events")
		sound(args[0])
	}
	pgtest.Exec(t, pool, `UPDATE core_users SET email = 'gone@example.test' WHERE id = $1`, author)
	deleted := docket(t, environment, "user", "delete", "gone@example.test")
	require.Equal(t, 0, deleted.status, deleted.stderr)
	sound("deleting an account")
	for _, args := range [][]string{{"audit", "verify", "--signed-from", signedFrom}, {"projections", "rebuild"}, {"projections", "verify"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
