package cmd

import (
	"bufio"
	nethttp "net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/platformtest"
)

// listen opens the live feed and gives what has happened by it so far.
func (p *process) listen(client *nethttp.Client) (heard func() map[string]int) {
	p.t.Helper()
	feed := &nethttp.Client{Jar: client.Jar}
	answer, err := feed.Get(p.url + http.Base + "/moderation/live")
	require.NoError(p.t, err)
	require.Equal(p.t, nethttp.StatusOK, answer.StatusCode)
	p.t.Cleanup(func() { _ = answer.Body.Close() })
	var mu sync.Mutex
	names := map[string]int{}
	go func() {
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if name, is := strings.CutPrefix(lines.Text(), "event: "); is {
				mu.Lock()
				names[name]++
				mu.Unlock()
			}
		}
	}()
	return func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		copied := map[string]int{}
		for name, n := range names {
			copied[name] = n
		}
		return copied
	}
}

// Given webhooks, mail and a live feed, when an author appeals a decision and
// somebody overturns it, then each of them is told once.
func TestAnAppealIsToldEverywhere(t *testing.T) {
	t.Parallel()
	inbox, hooks := platformtest.NewMailServer(t), newDeliveries(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir(),
		"SMTP_URL": inbox.URL + "?from=docket@example.test", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	p := startProcess(t, environment, "demo")
	admin, moderator := p.signIn("admin@demo.test"), p.signIn("moderator@demo.test")
	author := one[string](t, pool, `SELECT email FROM core_users u JOIN forum_posts p ON p.author_id = u.id WHERE p.id = 1`)
	member := p.signIn(map[bool]string{true: "member2@demo.test", false: "member1@demo.test"}[author == "member1@demo.test"])
	p.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": hooks.URL, "events": []string{event.AppealCreated, event.AppealDecided}})
	p.must(admin, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "no-shops", "title": "No shops", "text": "None."})
	live := p.listen(moderator)

	id := p.file(member, "1")
	report := "/moderation/reports/" + id
	p.must(moderator, nethttp.MethodPost, report+"/actions/hide", map[string]any{"expectedVersion": 1})
	p.must(moderator, nethttp.MethodPost, report+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "action_taken",
		"policy": map[string]any{"key": "no-shops", "version": 1}, "reasons": "You advertise."})
	link := p.url + "/decisions/" + id
	told := map[string]string{} // the first mail of each account
	for range 2 {
		m := inbox.Next()
		told[strings.Trim(m.Recipient, "<>")] = m.Text
		require.Contains(t, m.Text, link)
		require.Contains(t, m.HTML, `href="`+link+`"`)
	}
	require.Contains(t, told[author], "You advertise.")
	require.Contains(t, told[author], "No shops")

	appellant := p.signIn(author)
	appeal := p.must(appellant, nethttp.MethodPost, "/users/decisions/"+id+"/appeal", map[string]any{"text": "I do not agree."})["id"].(string)
	over := p.must(admin, nethttp.MethodPost, "/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3})
	require.Equal(t, "overturned", over["status"])
	require.False(t, one[bool](t, pool, `SELECT hidden_at IS NOT NULL FROM forum_posts WHERE id = 1`))
	told = map[string]string{}
	for range 2 { // the appellant of the outcome, and the reporter of the new decision
		m := inbox.Next()
		told[strings.Trim(m.Recipient, "<>")] = m.Text
	}
	require.Contains(t, told[author], "You are right.")
	require.Contains(t, told[author], link)

	t.Log("by webhook and live feed, once each")
	pgtest.Eventually(t, func() bool { return hooks.events() == 2 && live()["appeal_decided"] == 1 }, "both are told")
	require.Equal(t, 1, live()["appealed"])
	for _, name := range []string{event.AppealCreated, event.AppealDecided} {
		require.Equal(t, 1, hooks.times(one[string](t, pool, `SELECT uuid FROM watermill_docket_events WHERE metadata->>'name' = $1`, name)), name)
	}
}
