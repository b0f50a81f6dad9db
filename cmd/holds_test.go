package cmd

import (
	"fmt"
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given reports that are held, one by its id and one by its author, and one that is not, when words are erased in
// every way, then the held words are there; and once the holds are lifted by somebody else, they go.
func TestHeldWordsStayUntilTheHoldIsLifted(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": t.TempDir(), "DOCKET_RETENTION": "1ms"}
	p := startProcess(t, environment, "demo")
	pool := connectTo(t, environment["DATABASE_URL"])
	admin, moderator := p.signIn("admin@demo.test"), p.signIn("moderator@demo.test")
	user := func(email string) string {
		return one[string](t, pool, `SELECT id::text FROM core_users WHERE email = $1`, email)
	}
	entry := p.must(admin, nethttp.MethodPost, "/admin/staff/entry/admin", map[string]any{"userId": user("member9@demo.test")})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/admin/"+entry, map[string]any{"permissions": []any{map[string]any{"plugin": "@platform/core", "module": "audit", "permission": "can_hold"}}})
	// Posts 1 to 3 by one author each, reported by three members.
	var reports, authors []string
	for n, word := range []string{"xnamed", "xauthored", "xfree"} {
		authors = append(authors, user(fmt.Sprintf("member%d@demo.test", 4+n)))
		pgtest.Exec(t, pool, `UPDATE forum_posts SET author_id = $2, body = $3 WHERE id = $1`, n+1, authors[n], "<p>"+word+"content</p>")
		id := p.must(p.signIn(fmt.Sprintf("member%d@demo.test", n+1)), nethttp.MethodPost, "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post",
			"targetId": fmt.Sprint(n + 1), "reason": "other", "description": word + "described, at length"})["id"].(string)
		p.must(moderator, nethttp.MethodPost, "/moderation/reports/"+id+"/notes", map[string]any{"body": word + "noted"})
		p.must(moderator, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation", "explanation": word + "explained", "share": false})
		reports = append(reports, id)
	}
	set := func(what map[string]any) string {
		what["basis"], what["reference"], what["until"] = "Claim for damages", "4 O 12/26", time.Now().AddDate(1, 0, 0)
		return p.must(admin, nethttp.MethodPost, "/admin/holds", what)["id"].(string)
	}
	holds := []string{set(map[string]any{"reports": reports[:1]}), set(map[string]any{"authorId": authors[1]})}
	held := []string{"xnamedcontent", "xnameddescribed", "xnamednoted", "xnamedexplained", "xauthoredcontent", "xauthoreddescribed", "xauthorednoted", "xauthoredexplained"}
	free := []string{"xfreecontent", "xfreedescribed", "xfreenoted", "xfreeexplained"}
	there := func(after string) {
		t.Helper()
		said := one[string](t, pool, `SELECT string_agg(convert_from(evidence, 'UTF8'), ' ') FROM core_moderation_report_events WHERE report_id::text = ANY ($1)`, reports[:2])
		for _, word := range held {
			require.Contains(t, said, word, after)
		}
		for _, id := range reports[:2] {
			require.False(t, one[bool](t, pool, `SELECT erased FROM core_moderation_reports WHERE id = $1`, id), after)
		}
	}
	there("the decision")

	p.runJob(admin, "erase-expired")
	there("retention")
	for _, word := range free {
		require.Empty(t, kept(t, pool, word), "%s is not held", word)
	}
	refused := func(args ...string) {
		t.Helper()
		got := docket(t, environment, args...)
		require.Equal(t, exitFailure, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		require.Contains(t, got.stderr, "held ", args)
		there(fmt.Sprint(args))
	}
	refused("erase", "--report", reports[0])
	refused("erase", "--report", reports[1])
	refused("erase", "--user", user("member1@demo.test"))
	refused("erase", "--user", authors[1], "--authored")
	refused("erase", "--older-than", "0s")
	refused("user", "delete", "member2@demo.test")
	for _, id := range []string{user("member1@demo.test"), authors[0], authors[1]} {
		status, answer, err := p.send(admin, nethttp.MethodDelete, "/admin/users/"+id, nil)
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusConflict, status)
		require.Equal(t, "held", answer["error"])
		require.Contains(t, answer["message"], "Somebody else than who set the hold can lift it")
	}
	there("the deletion of accounts")
	p.must(p.signIn("member1@demo.test"), nethttp.MethodGet, "/users/session", nil) // nothing of the deletion was done
	require.Zero(t, docket(t, environment, "projections", "rebuild", "--force").status)
	there("a rebuild")
	for _, id := range holds {
		status, answer, err := p.send(admin, nethttp.MethodPost, "/admin/holds/"+id+"/lift", nil)
		require.NoError(t, err)
		require.Equal(t, []any{nethttp.StatusForbidden, "own_decision"}, []any{status, answer["error"]})
		p.must(p.signIn("member9@demo.test"), nethttp.MethodPost, "/admin/holds/"+id+"/lift", nil)
	}
	p.runJob(admin, "erase-expired")
	for _, word := range held {
		require.Empty(t, kept(t, pool, word), "%s is held no more", word)
	}
	_, _, err := p.send(admin, nethttp.MethodDelete, "/admin/users/"+authors[1], nil)
	require.ErrorContains(t, err, "EOF", "204 has no body")
	verified := docket(t, environment, "audit", "verify")
	require.Zero(t, verified.status, verified.stdout+verified.stderr)
}
