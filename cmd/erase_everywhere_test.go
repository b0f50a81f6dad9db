package cmd

import (
	nethttp "net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// kept are the columns that hold a word, apart from the platform's own content,
// which a report's erasure does not touch.
func kept(t *testing.T, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	return slices.DeleteFunc(pgtest.WhereFound(t, pool, word), func(column string) bool { return strings.HasPrefix(column, "public.forum_") })
}

// Given a report with words of every kind, told to webhooks, noticed by its
// reporter and projected by a server, when it is erased while the server runs, then
// no column of any table holds one of them, the log of the server never did, and
// all that reads the log keeps working.
func TestAfterAnErasureNoTableHoldsTheWords(t *testing.T) {
	t.Parallel()
	heard := newDeliveries(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true", "LOG_LEVEL": "trace",
		"DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	pool, err := postgres.Open(t.Context(), environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	p := startProcess(t, environment, "demo")
	admin, member, moderator := p.signIn("admin@demo.test"), p.signIn("member1@demo.test"), p.signIn("moderator@demo.test")
	p.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": heard.URL, "events": []string{"*"}})
	_, err = pool.Exec(t.Context(), `UPDATE forum_posts SET title = 'xtitle', body = '<p>xbody</p>' WHERE id = 1`)
	require.NoError(t, err)

	id := p.must(member, nethttp.MethodPost, "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": "1",
		"reason": "other", "description": "xdescription is long enough"})["id"].(string)
	do := func(path string, body map[string]any) map[string]any {
		return p.must(moderator, nethttp.MethodPost, "/moderation/reports/"+id+path, body)
	}
	note := func(body string) string {
		return do("/notes", map[string]any{"body": body})["note"].(map[string]any)["id"].(string)
	}
	do("/claim", map[string]any{"expectedVersion": 1})
	do("/notes/"+note("xfirst")+"/edit", map[string]any{"body": "xedited"})
	do("/notes/"+note("xdeleted")+"/delete", map[string]any{})
	note("xnote")
	do("/actions/hide", map[string]any{"expectedVersion": 2})
	do("/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken", "explanation": "xshared", "share": true})
	do("/reopen", map[string]any{"expectedVersion": 4, "reason": "xreopened"})
	do("/resolve", map[string]any{"expectedVersion": 5, "resolution": "no_violation", "explanation": "xexplained", "share": false})
	events := one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	messages := one[int](t, pool, `SELECT count(*) FROM watermill_docket_events`)
	notices := func() []any { return p.must(member, nethttp.MethodGet, "/users/notices", nil)["edges"].([]any) }
	pgtest.Eventually(t, func() bool {
		return p.projected(admin, events) && heard.events() == messages && len(notices()) == 2
	}, "everything is told and projected")
	require.Contains(t, notices()[1].(map[string]any), "explanation")
	words := []string{"xtitle", "xbody", "xdescription", "xfirst", "xedited", "xdeleted", "xnote", "xshared", "xreopened", "xexplained"}
	for _, word := range words {
		require.NotEmpty(t, kept(t, pool, word), word)
	}

	erased := docket(t, environment, "erase", "--report", id)
	require.Equal(t, 0, erased.status, erased.stderr)

	pgtest.Eventually(t, func() bool { return p.projected(admin, events+1) }, "the erasure is projected")
	for _, word := range words {
		require.Empty(t, kept(t, pool, word), word)
	}
	for _, args := range [][]string{
		{"audit", "verify"}, {"replay", id}, {"replay", id, "--sequence", "3"}, {"projections", "verify"}, {"projections", "rebuild"}, {"audit", "export", "--words"},
	} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		for _, word := range words {
			require.NotContains(t, got.stdout, word, args)
		}
	}
	proved := docket(t, environment, "audit", "prove", id, "--words")
	require.Equal(t, 0, proved.status, proved.stderr)
	bundle := filepath.Join(t.TempDir(), "bundle.json")
	require.NoError(t, os.WriteFile(bundle, []byte(proved.stdout), 0o600))
	checked := docket(t, environment, "audit", "verify", "--bundle", bundle)
	require.Equal(t, 0, checked.status, checked.stderr)
	said, err := os.ReadFile(p.log)
	require.NoError(t, err)
	for _, word := range words {
		require.NotContains(t, proved.stdout, word)
		require.NotContains(t, string(said), word, "the server's log")
	}
}
