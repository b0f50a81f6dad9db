package cmd

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given content of a platform, when an appeal is overturned, then its platform is asked to
// take back what stands, and to lift what the decision imposed.
func TestOverturningAsksThePlatformToUndo(t *testing.T) {
	t.Parallel()
	for name, refuses := range map[string]bool{"which does": false, "which refuses": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overturnAtPlatform(t, refuses)
		})
	}
}

func overturnAtPlatform(t *testing.T, refuses bool) {
	s := newShop(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	p := startWithShop(t, environment, s.server.URL)
	admin, judge := p.signIn("admin@demo.test"), p.signIn("member4@demo.test")
	entry := p.must(admin, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]any{
		"userId": one[string](t, pool, `SELECT id::text FROM core_users WHERE email = 'member4@demo.test'`)})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"unrestricted": true})
	// The platform's u7, who wrote the review, is a member here.
	author := p.signIn("member3@demo.test")
	pgtest.Exec(t, pool, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) SELECT 'plugin:shop', 'u7', id, now() FROM core_users WHERE email = 'member3@demo.test'`)

	_, filed := reportReview(t, p, p.signIn("member1@demo.test"), "7")
	id := filed["id"].(string)
	hidden := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.hidden["7"]
	}
	standing := func() any { return readReport(t, p, admin, id)["decision"].(map[string]any)["actions"] }
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]any{"expectedVersion": 1})
	pgtest.Eventually(t, hidden, "the platform hides it")
	pgtest.Eventually(t, func() bool { return len(timelineTypes(readReport(t, p, admin, id))) == 3 }, "the outcome is known")
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "action_taken",
		"measures": []any{map[string]any{"authorId": "u7", "kind": "suspend"}}})
	require.Equal(t, []any{"hide"}, standing())
	pgtest.Eventually(t, func() bool { return len(timelineTypes(readReport(t, p, admin, id))) == 7 }, "the outcome is known")
	require.Equal(t, []string{"suspend"}, s.barred("u7"))

	if refuses {
		s.set(func(w nethttp.ResponseWriter, path string) bool {
			if path == "actions/unhide" {
				w.WriteHeader(nethttp.StatusForbidden)
			}
			return path == "actions/unhide"
		})
	}
	appeal := p.must(author, nethttp.MethodPost, "/users/decisions/"+id+"/appeal", map[string]any{"text": "Why?"})["id"].(string)
	p.must(judge, nethttp.MethodPost, "/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3})
	pgtest.Eventually(t, func() bool { return len(timelineTypes(readReport(t, p, admin, id))) == 15 }, "the outcome is known")
	outcome, stands := "action", []any{}
	if refuses {
		outcome, stands = "action_failed", []any{"hide"}
	}
	timeline := timelineTypes(readReport(t, p, admin, id))
	require.Equal(t, []string{"created", "action_requested", "action", "resolved", "measure_imposed", "measure_pending", "measure_confirmed",
		"appealed", "appeal_decided", "action_requested", "measure_ended", "resolved"}, timeline[:12])
	require.Equal(t, "measure_pending", timeline[12])
	require.ElementsMatch(t, []string{outcome, "measure_confirmed"}, timeline[13:])
	require.Empty(t, s.barred("u7"))
	require.Equal(t, stands, standing())
	require.Equal(t, refuses, hidden())
	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify", "reports"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
