package http_test

import (
	nethttp "net/http"
	"net/url"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// schedule runs the job of digests, and then the queue.
func (b *bundle) schedule() {
	b.t.Helper()
	b.runJob("send-digests")
	b.work()
}

func TestADigestIsSentWhenSomethingWaits(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	b := newBundleWith(t, map[string]string{"SMTP_URL": inbox.URL + "?from=docket@example.test", "CRON_ADAPTER": ""})
	moderator := b.moderator("Moderator", []string{"general"}, everyPermission...)
	b.exec(`UPDATE forum_posts SET category_id = 'general' WHERE id = 1; UPDATE forum_posts SET category_id = 'offtopic' WHERE id = 2`)
	b.member(0).get("/users/digest").fault(nethttp.StatusForbidden, "forbidden")
	require.Equal(t, map[string]any{"every": "never", "urgent": false}, moderator.get("/users/digest").status(nethttp.StatusOK).body)
	require.Equal(t, map[string]string{"every": "unknown_value", "urgent": "required"},
		moderator.undescribed(nethttp.MethodPut, "/users/digest", "application/json", []byte(`{"every":"weekly"}`)).status(nethttp.StatusBadRequest).issues())
	moderator.header.Set("Accept-Language", "ar")
	want := map[string]any{"every": "hourly", "urgent": false}
	require.Equal(t, want, moderator.put("/users/digest", map[string]any{"every": "hourly", "urgent": false}).status(nethttp.StatusOK).body)
	require.Equal(t, want, moderator.get("/users/digest").body)

	t.Log("nothing waits within the moderator's scopes")
	b.file(0, "2")
	b.schedule()
	inbox.RequireNone()

	t.Log("what waits is told once an hour, however many servers ask at once")
	b.file(0, "1")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { b.schedule() })
	}
	all.Wait()
	m := inbox.Next()
	require.Equal(t, "moderator@example.test", m.Recipient)
	require.Contains(t, m.Subject, "بلاغات تنتظر", "in the moderator's language")
	inbox.RequireNone()
	b.exec(`UPDATE core_digests SET sent_at = sent_at - interval '59 minutes'`)
	b.schedule()
	inbox.RequireNone()
	b.exec(`ALTER TABLE core_moderation_reports RENAME TO renamed`)
	b.schedule() // counts nothing for somebody who cannot be mailed
	require.NotContains(t, b.errors.String(), "moderation:send-digests")
	b.exec(`ALTER TABLE renamed RENAME TO core_moderation_reports; UPDATE core_digests SET sent_at = sent_at - interval '1 minute'`)
	b.schedule()
	m = inbox.Next()

	t.Log("the link stops it by a click, and not by being opened")
	link := regexp.MustCompile(`http://docket\.test/digest\?token=\S+`).FindString(m.Text)
	at, err := url.Parse(link)
	require.NoError(t, err)
	b.guest().undescribed(nethttp.MethodGet, link[len("http://docket.test"):], "", nil)
	require.Equal(t, want, moderator.get("/users/digest").body)
	stop := func(token string) *answer {
		return b.guest().post("/users/digest/stop", map[string]any{"token": token})
	}
	for _, wrong := range []string{"", "x", "5Zs0YdnCz8nq9pVvW2mUu3o4K1rTtq6bXxJmH7Lw0aE"} {
		require.Equal(t, map[string]string{"token": "invalid_link"}, stop(wrong).status(nethttp.StatusBadRequest).issues())
	}
	stop(at.Query().Get("token")).status(nethttp.StatusNoContent)
	stop(at.Query().Get("token")).status(nethttp.StatusNoContent)
	require.Equal(t, map[string]any{"every": "never", "urgent": false}, moderator.get("/users/digest").body)
	b.exec(`UPDATE core_digests SET sent_at = NULL`)
	b.schedule()
	inbox.RequireNone()
}

func TestWhatIsOverdueIsMailedAtOnceAndWhoMayNotSeeItGetsNone(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	b := newBundleWith(t, map[string]string{"SMTP_URL": inbox.URL + "?from=docket@example.test", "DOCKET_DEADLINES": "spam=1h"})
	moderator, disabled, former := b.moderator("Moderator", nil, everyPermission...), b.moderator("Disabled", nil, everyPermission...), b.moderator("Former", nil, everyPermission...)
	for _, c := range []*client{moderator, disabled, former} {
		c.put("/users/digest", map[string]any{"every": "never", "urgent": true}).status(nethttp.StatusOK)
	}
	b.exec(`UPDATE core_users SET disabled_at = now() WHERE name = 'Disabled'; DELETE FROM core_staff_entries e USING core_users u WHERE u.id = e.user_id AND u.name = 'Former'`)
	b.file(0, "1")
	b.schedule()
	inbox.RequireNone()

	b.exec(`UPDATE core_moderation_reports SET due_at = now() - interval '1 minute'`)
	b.schedule()
	m := inbox.Next()
	require.Equal(t, []string{"moderator@example.test", "Reports are overdue"}, []string{m.Recipient, m.Subject})
	require.Contains(t, m.Text, "Reports past their deadline: 1.")
	require.Contains(t, m.Text, "http://docket.test/modcp/reports")
	b.schedule()
	inbox.RequireNone()

	t.Log("another one")
	b.file(1, "2")
	b.exec(`UPDATE core_moderation_reports SET due_at = now() WHERE target_id = '2'`)
	b.schedule()
	require.Equal(t, "moderator@example.test", inbox.Next().Recipient)
	inbox.RequireNone()
}

// Given a mail server that is away while digests become due, when it is back, then a moderator gets one.
func TestDigestsThatCouldNotBeSentAreOneMail(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	b := newBundleWith(t, map[string]string{"SMTP_URL": inbox.URL + "?from=docket@example.test"})
	moderator := b.moderator("Moderator", nil, everyPermission...)
	moderator.put("/users/digest", map[string]any{"every": "hourly", "urgent": true}).status(nethttp.StatusOK)
	for n, post := range []string{"1", "2", "3"} {
		b.exec(`UPDATE core_digests SET sent_at = sent_at - interval '1 hour'`)
		b.file(n, post)
		pgtest.Exec(t, b.pool, `UPDATE core_moderation_reports SET due_at = now() WHERE target_id = $1`, post)
		b.runJob("send-digests")
	}
	require.Equal(t, 3, b.count(`SELECT count(*) FROM core_queue WHERE name = 'digest.mail' AND status = 'pending'`))

	b.schedule()
	require.Contains(t, inbox.Next().Text, "Reports past their deadline: 3.")
	inbox.RequireNone()
}

func TestWhatIsEscalatedIsMailedAtOnceToWhomItWaitsFor(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	b := newBundleWith(t, map[string]string{"SMTP_URL": inbox.URL + "?from=docket@example.test"})
	manage := []string{permission.ViewReports, permission.ManageReports}
	lead, other, asked := b.moderator("Lead", nil, everyPermission...), b.moderator("Other", nil, manage...), b.moderator("Asked", nil, manage...)
	for _, c := range []*client{lead, other, asked} {
		c.put("/users/digest", map[string]any{"every": "never", "urgent": true}).status(nethttp.StatusOK)
	}
	id := b.file(0, "1")
	b.schedule()
	inbox.RequireNone()

	other.post("/moderation/reports/"+id+"/escalate", map[string]any{"to": "leads", "note": "What now?", "expectedVersion": 1}).status(nethttp.StatusOK)
	b.schedule()
	m := inbox.Next()
	require.Equal(t, []string{"lead@example.test", "Reports are escalated to you"}, []string{m.Recipient, m.Subject})
	require.Contains(t, m.Text, "Reports that are escalated to you: 1.")
	require.NotContains(t, m.Text, "What now?", "mail is read by others")
	b.schedule()
	inbox.RequireNone()

	version := lead.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["version"]
	lead.post("/moderation/reports/"+id+"/return", map[string]any{"expectedVersion": version}).status(nethttp.StatusOK)
	version = lead.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["version"]
	lead.post("/moderation/reports/"+id+"/escalate", map[string]any{"to": asked.id(), "note": "You know them.", "expectedVersion": version}).status(nethttp.StatusOK)
	b.schedule()
	require.Equal(t, "asked@example.test", inbox.Next().Recipient)
	b.schedule()
	inbox.RequireNone()
}
