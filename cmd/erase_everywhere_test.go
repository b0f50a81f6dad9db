package cmd

import (
	"fmt"
	nethttp "net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// kept are the columns that hold a word, apart from the platform's own content,
// which a report's erasure does not touch.
func kept(t *testing.T, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	return slices.DeleteFunc(pgtest.WhereFound(t, pool, word), func(column string) bool { return strings.HasPrefix(column, "public.forum_") })
}

// sampled are the columns of which PostgreSQL's planner has kept a word.
func sampled(t *testing.T, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	return pgtest.All[string](t, pool, `SELECT tablename || '.' || attname FROM pg_stats
		WHERE tablename NOT LIKE 'forum%' AND concat(most_common_vals, histogram_bounds, most_common_elems) ILIKE '%' || $1 || '%' ORDER BY 1`, word)
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
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	p := startProcess(t, environment, "demo")
	admin, member, moderator := p.signIn("admin@demo.test"), p.signIn("member1@demo.test"), p.signIn("moderator@demo.test")
	p.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": heard.URL, "events": []string{"*"}})
	pgtest.Exec(t, pool, `UPDATE forum_posts SET title = 'xtitle', body = '<p>xbody</p>' WHERE id = 1`)

	flagger := "/admin/users/" + one[string](t, pool, `SELECT id::text FROM core_users WHERE email = 'member1@demo.test'`) + "/trusted"
	p.must(admin, nethttp.MethodPost, flagger, map[string]any{"trusted": true, "name": "xflagger"})
	id := p.must(member, nethttp.MethodPost, "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": "1",
		"reason": "other", "description": "xdescription is long enough"})["id"].(string)
	p.must(admin, nethttp.MethodPost, flagger, map[string]any{"trusted": false})
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
	author := one[string](t, pool, `SELECT author_id::text FROM forum_posts WHERE id = 1`)
	decided := do("/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken", "explanation": "xshared", "share": true,
		"measures": []any{map[string]any{"authorId": author, "kind": "warn"}}})
	p.must(moderator, nethttp.MethodPost, "/moderation/measures/"+decided["measures"].([]any)[0].(map[string]any)["measureId"].(string)+"/end",
		map[string]any{"expectedVersion": 4, "reason": "xended"})
	do("/reopen", map[string]any{"expectedVersion": 5, "reason": "xreopened"})
	p.must(admin, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "two-keys", "title": "Two keys", "text": "Be kind.", "secondKey": true})
	held := do("/resolve", map[string]any{"expectedVersion": 6, "resolution": "no_violation", "explanation": "xheld", "reasons": "xgiven", "policy": map[string]any{"key": "two-keys", "version": 1}})
	p.must(admin, nethttp.MethodPost, "/moderation/held/"+held["held"].(map[string]any)["id"].(string)+"/reject", map[string]any{"expectedVersion": 7, "reason": "xrejected"})
	do("/resolve", map[string]any{"expectedVersion": 8, "resolution": "no_violation", "explanation": "xexplained", "share": false})
	events := one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	messages := one[int](t, pool, `SELECT count(*) FROM watermill_docket_events`)
	notices := func() []any { return p.must(member, nethttp.MethodGet, "/users/notices", nil)["edges"].([]any) }
	pgtest.Eventually(t, func() bool {
		return p.projected(admin, events) && heard.events() == messages && len(notices()) == 2
	}, "everything is told and projected")
	require.Contains(t, notices()[1].(map[string]any), "explanation")
	for fact, name := range map[string]string{"measure_imposed": event.MeasureImposed, "measure_ended": event.MeasureEnded, "decision_held": event.ReportHeld, "held_released": event.ReportReleased} {
		require.Equal(t, 1, heard.times(one[string](t, pool, `SELECT event_id::text FROM core_moderation_report_events WHERE type = $1`, fact)), "webhooks carry it")
		require.Equal(t, 1, one[int](t, pool, `SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = $1`, name), "the topic carries it")
		require.Contains(t, docket(t, environment, "audit", "export").stdout, fact)
	}
	require.Contains(t, docket(t, environment, "replay", id).stdout, `"endedBy": "moderator"`)
	pgtest.Exec(t, pool, `INSERT INTO core_poison SELECT gen_random_uuid(), 'plugin.listener', uuid, metadata->>'name', payload, metadata, 'cannot file xquoted', 0, now(), now()
		FROM watermill_docket_events WHERE metadata->>'report_id' = $1 LIMIT 1`, id)
	words := []string{"xtitle", "xbody", "xdescription", "xfirst", "xedited", "xdeleted", "xnote", "xshared", "xreopened", "xended", "xheld", "xgiven", "xrejected", "xexplained", "xquoted", "xflagger"}
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
	said := p.said()
	for _, word := range words {
		require.NotContains(t, proved.stdout, word)
		require.NotContains(t, said, word, "the server's log")
	}
}

// Given reports with words of every kind and their cases, and no server that would store the
// cases again, when the words are erased, then no column of any table holds one of them, even
// before a server starts.
func TestAfterAnErasureWithoutServersNoTableHoldsTheWords(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	filed := func(target string) string {
		s, err := l.store.File(t.Context(), moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: l.reporter,
			Words: report.CreatedWords{Description: new("xdescription"), ReporterName: "Xname", Title: "xtitle", Excerpt: "xexcerpt",
				Snapshot: fmt.Appendf(nil, `{"title":"xtitle","fields":[{"kind":"text","value":"xfield"}],"authors":[{"id":%q,"name":"Xauthor"}]}`, l.reporter)},
		}})
		require.NoError(t, err)
		return s.ID
	}
	open, done := filed("open"), filed("done")
	appeal, warning := uuid.NewString(), uuid.NewString()
	decide(t, l, done,
		&report.NoteAdded{NoteID: uuid.NewString(), Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"xnote"`)}},
		&report.ActionRequested{Action: "hide", PluginID: "forum", TargetType: "forum.post", TargetID: "done"},
		&report.ActionFailed{Action: "hide", Code: report.ActionRefused, Requested: 3, Words: report.ActionFailedWords{Reason: "xrefused"}},
		&report.Resolved{Resolution: report.ActionTaken, Reasoned: true, Words: report.ResolvedWords{Explanation: new("xexplained"), Reasons: []byte(`"xreasons"`)}},
		&report.MeasureImposed{ID: warning, Author: measure.Author{PluginID: "forum", ID: l.reporter}, Kind: measure.Warn, Because: measure.ByModerator},
		&report.MeasureEnded{MeasureID: warning, Author: measure.Author{PluginID: "forum", ID: l.reporter}, Kind: measure.Warn, By: measure.EndedByModerator,
			Reasoned: true, Words: report.MeasureEndedWords{Reason: new("xended")}},
		&report.MeasurePending{MeasureOrder: report.MeasureOrder{MeasureID: warning, Author: measure.Author{PluginID: "forum", ID: l.reporter}, Kind: measure.Warn, Ends: true}},
		&report.MeasureFailed{MeasureOrder: report.MeasureOrder{MeasureID: warning, Author: measure.Author{PluginID: "forum", ID: l.reporter}, Kind: measure.Warn, Ends: true},
			Code: report.ActionRefused, Requested: 8, Words: report.ActionFailedWords{Reason: "xunlifted"}},
		&report.Appealed{AppealID: appeal, By: report.Author, Words: report.AppealWords{Text: "xappeal"}},
		&report.AppealDecided{AppealID: appeal, By: report.Author, Outcome: report.AppealUpheld, Words: report.AppealDecidedWords{Reply: new("xreply")}})
	require.Equal(t, 0, docket(t, l.environment, "projections", "rebuild").status)
	words := []string{"xdescription", "xname", "xtitle", "xexcerpt", "xfield", "xauthor", "xnote", "xrefused", "xexplained", "xended", "xunlifted", "xreasons", "xappeal", "xreply"}
	for _, word := range words {
		require.NotEmpty(t, kept(t, l.pool, word), word)
	}
	require.Contains(t, kept(t, l.pool, "xtitle"), "public.core_moderation_cases.title")
	fingerprints := func() int {
		return one[int](t, l.pool, `SELECT count(*) FROM core_moderation_fingerprints WHERE report_id IN ($1, $2)`, open, done)
	}
	require.Equal(t, 2, fingerprints())
	pgtest.Exec(t, l.pool, `ANALYZE`)
	require.Equal(t, []string{"core_moderation_cases.title", "core_moderation_reports.search", "core_moderation_reports.title"}, sampled(t, l.pool, "xtitle"))

	for _, id := range []string{open, done} {
		erased := docket(t, l.environment, "erase", "--report", id)
		require.Equal(t, 0, erased.status, erased.stderr)
	}

	for _, word := range words {
		require.Empty(t, kept(t, l.pool, word), word)
		require.Empty(t, sampled(t, l.pool, word), word)
	}
	require.Zero(t, fingerprints())
	sound := docket(t, l.environment, "projections", "verify")
	require.Equal(t, 0, sound.status, sound.stdout)
}

// decide appends facts by the account of the reporter.
func decide(t *testing.T, l *logged, id string, facts ...report.Fact) {
	t.Helper()
	_, err := l.store.Update(t.Context(), moderation.Ref{ReportID: id}, &l.reporter,
		deciding(func(report.State) ([]report.Fact, error) { return facts, nil }))
	require.NoError(t, err)
}
