package http_test

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

const whyIllegal = "This post offers counterfeit watches under the name of our company <script>alert(1)</script>."

// aNotice is a well-formed notice about a post, with changes.
func aNotice(post string, changes ...any) map[string]any {
	n := map[string]any{"url": "http://docket.test/forum/posts/" + post, "explanation": whyIllegal, "law": "Trademark Act, § 14", "name": "Ada \u202eExample", "email": "ada@example.test", "goodFaith": true}
	for i := 0; i < len(changes); i += 2 {
		if n[changes[i].(string)] = changes[i+1]; changes[i+1] == nil {
			delete(n, changes[i].(string))
		}
	}
	return n
}

func newNotices(t *testing.T) (*bundle, *platformtest.MailServer) {
	inbox := platformtest.NewMailServer(t)
	return newBundleWith(t, map[string]string{
		"SMTP_URL": inbox.URL + "?from=docket@example.test", "DOCKET_NOTICES": "on", "DOCKET_TRUSTED_PROXIES": "127.0.0.0/8",
	}), inbox
}

var noticeLink = regexp.MustCompile(`http://docket\.test/notice/confirm#token=(\S+)`)

// Given a visitor without an account, when they send a notice and press the button of the mailed link, then
// moderators have a report with what they wrote, and the visitor hears what was decided.
func TestANoticeByAnybodyBecomesAReportOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	b.run()
	moderator := b.moderator("Moderator", nil, everyPermission...)
	visitor := b.guest()
	visitor.header.Set("Accept-Language", "ar")
	visitor.post("/notices", aNotice("1")).status(nethttp.StatusAccepted)

	m := inbox.Next()
	require.Equal(t, "ada@example.test", m.Recipient)
	require.Contains(t, m.Subject, "أكّد إشعارك")
	for _, theirs := range []string{"counterfeit", "Ada", "Trademark", "/forum/posts/1"} {
		require.NotContains(t, m.Text, theirs, "the address may be somebody else's")
	}
	token := noticeLink.FindStringSubmatch(m.Text)[1]
	require.Empty(t, moderator.ids("/moderation/reports"))
	visitor.undescribed(nethttp.MethodGet, "/notices/confirm?token="+token, "", nil).status(nethttp.StatusMethodNotAllowed)
	require.Empty(t, moderator.ids("/moderation/reports"), "a scanner that opens the link confirms nothing")
	require.Zero(t, b.count(`SELECT count(*) FROM core_queue WHERE payload::text LIKE '%' || $1 || '%'`, token))

	// Pressed twice at once, one is filed.
	var all sync.WaitGroup
	answers := make([]*answer, 4)
	for i := range answers {
		all.Go(func() { answers[i] = b.guest().post("/notices/confirm", map[string]any{"token": token}) })
	}
	all.Wait()
	filed := 0
	for _, a := range answers {
		if a.code == nethttp.StatusOK {
			require.Equal(t, map[string]any{"filed": true}, a.body)
			filed++
		} else {
			require.Equal(t, map[string]string{"token": "invalid_link"}, a.issues())
		}
	}
	require.Equal(t, 1, filed)
	ids := moderator.ids("/moderation/reports")
	require.Len(t, ids, 1)
	body := moderator.get("/moderation/reports/" + ids[0]).status(nethttp.StatusOK).body
	require.Equal(t, []any{"notice", "other", whyIllegal, nil}, []any{body["source"], body["reason"], body["description"], body["reporter"]})
	require.Equal(t, map[string]any{"name": "Ada \u202eExample", "email": "ada@example.test", "law": "Trademark Act, § 14"}, body["notice"])
	require.Equal(t, "notice", moderator.get("/moderation/reports/" + ids[0] + "/replay").status(nethttp.StatusOK).body["source"])
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_public_notices WHERE notice IS NULL AND hash IS NULL`), "the report has the words")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.created'`))
	require.Zero(t, b.count(`SELECT count(*) FROM watermill_docket_events WHERE payload::text ~ 'Ada|counterfeit|ada@'`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'created' AND actor_id IS NULL AND convert_from(payload, 'UTF8') !~ 'Ada|counterfeit|ada@'`))

	moderator.post("/moderation/reports/"+ids[0]+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "explanation": "We took it down.", "share": true}).status(nethttp.StatusOK)
	m = inbox.NextTo("ada@example.test") // the author is told too
	require.Contains(t, m.Subject, "صدر قرار في إشعارك")
	for _, told := range []string{"http://docket.test/forum/posts/1", "We took it down.", "فاعترض بالرد", time.Now().UTC().AddDate(0, 0, 180).Format(time.DateOnly)} {
		require.Contains(t, m.Text, told)
	}
	require.NotContains(t, m.Text, "Moderator")
	b.sound()

	// Once the words are erased, nobody is told any more, and the log still verifies.
	_, err := b.log().Erase(t.Context(), ids[0], nil, report.EveryWord)
	require.NoError(t, err)
	body = moderator.get("/moderation/reports/" + ids[0]).status(nethttp.StatusOK).body
	require.Equal(t, []any{nil, nil, true}, []any{body["notice"], body["description"], body["erased"]})
	require.Zero(t, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE evidence IS NOT NULL AND type = 'created'`))
	b.sound()
}

// What is not there, is hidden, or is on no known platform is told alike, and only to who confirms.
func TestANoticeAboutNothingThatThePublicReadsIsNotFiled(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	b.run()
	b.exec(`UPDATE forum_posts SET hidden_at = now() WHERE id = 2`)
	for i, address := range []string{"http://docket.test/forum/posts/2", "http://docket.test/forum/posts/999999", "http://docket.test/forum/posts/0x1", "http://docket.test/forum/posts/1/../2",
		"https://elsewhere.test/forum/posts/1", "http://docket.test"} {
		b.exec(`DELETE FROM core_public_notices`)
		b.guest().post("/notices", aNotice("", "url", address)).status(nethttp.StatusAccepted)
		token := noticeLink.FindStringSubmatch(inbox.Next().Text)[1]
		for range 2 { // it stays good
			require.Equal(t, map[string]any{"filed": false}, b.guest().post("/notices/confirm", map[string]any{"token": token}).status(nethttp.StatusOK).body, address)
		}
		if i == 0 {
			b.exec(`UPDATE forum_posts SET hidden_at = NULL WHERE id = 2`)
			require.Equal(t, map[string]any{"filed": true}, b.guest().post("/notices/confirm", map[string]any{"token": token}).status(nethttp.StatusOK).body)
		}
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_reports`))

	t.Log("what a server with another plugin may know is not told to be nothing, and the link stays good")
	b.exec(`DELETE FROM core_public_notices`)
	b.exec(`INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at) VALUES (gen_random_uuid(), '1', '{"plugins": "forum shop"}', '{}', now(), now())`)
	b.guest().post("/notices", aNotice("", "url", "https://elsewhere.test/reviews/7")).status(nethttp.StatusAccepted)
	confirm := map[string]any{"token": noticeLink.FindStringSubmatch(inbox.Next().Text)[1]}
	b.guest().post("/notices/confirm", confirm).fault(nethttp.StatusServiceUnavailable, "unavailable")
	b.exec(`DELETE FROM core_servers WHERE settings ->> 'plugins' = 'forum shop'`)
	require.Equal(t, map[string]any{"filed": false}, b.guest().post("/notices/confirm", confirm).status(nethttp.StatusOK).body)
}

func TestANoticeIsCheckedWhole(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	for _, c := range []struct {
		body   map[string]any
		faults map[string]string
	}{
		{map[string]any{}, map[string]string{"url": "required", "explanation": "too_short", "name": "required", "email": "required", "goodFaith": "required"}},
		{aNotice("1", "policy", "internal", "category", "spam"), map[string]string{"policy": "unknown_policy", "category": "unknown_value"}},
	} {
		body, err := json.Marshal(c.body)
		require.NoError(t, err)
		require.Equal(t, c.faults, b.guest().undescribed(nethttp.MethodPost, "/notices", "application/json", body).status(nethttp.StatusBadRequest).issues())
	}
	require.Contains(t, b.guest().undescribed(nethttp.MethodPost, "/notices", "application/json",
		[]byte(`{"email": "a@example.test\r\nBcc: b@example.test"}`)).status(nethttp.StatusBadRequest).issues(), "email")
	require.Zero(t, b.count(`SELECT count(*) FROM core_public_notices`))
	inbox.RequireNone()

	off := newBundle(t)
	for _, wrong := range []any{nil, "x"} { // a body that is wrong, too, tells nothing of a route that is off
		off.guest().post("/notices", aNotice("1", "name", wrong)).fault(nethttp.StatusNotFound, "not_found")
		off.guest().post("/notices/confirm", map[string]any{"token": "x", "unknown": wrong}).fault(nethttp.StatusNotFound, "not_found")
	}
	require.NotContains(t, off.guest().get("/users/session").status(nethttp.StatusOK).body, "notices")
	off.exec(`INSERT INTO core_public_notices (id, address, notice, requested_at) VALUES (gen_random_uuid(), '::', '{}', now() - interval '25 hours')`)
	off.runJob("trim-notices")
	require.Zero(t, off.count(`SELECT count(*) FROM core_public_notices`), "what was taken before is forgotten, too")
	require.Equal(t, true, b.guest().get("/users/session").status(nethttp.StatusOK).body["notices"])
}

// Limits are not told: the answer is the same, and nothing is mailed.
func TestNoticesAreLimitedByEmailAndByAddress(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	post := func(i int, email string) {
		c := b.guest()
		c.header.Set("X-Forwarded-For", fmt.Sprintf("2001:db8::%d", i)) // of one network, which counts as one address
		c.post("/notices", aNotice("1", "email", email)).status(nethttp.StatusAccepted)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { post(i, []string{"Ada@Example.test", "ada@example.TEST"}[i%2]) })
	}
	all.Wait()
	require.Equal(t, 5, b.count(`SELECT count(*) FROM core_public_notices`))
	for i := range 20 {
		post(i, fmt.Sprintf("visitor%d@example.test", i))
	}
	require.Equal(t, 20, b.count(`SELECT count(*) FROM core_public_notices`))
	b.run()
	for range 20 {
		inbox.Next()
	}
	inbox.RequireNone()
	b.exec(`UPDATE core_public_notices SET requested_at = requested_at - interval '61 minutes'`)
	b.guest().post("/notices", aNotice("1")).status(nethttp.StatusAccepted)
	m := inbox.Next()

	// A day later, links do nothing, and nothing is kept.
	b.exec(`UPDATE core_public_notices SET requested_at = requested_at - interval '24 hours 1 minute'`)
	token := noticeLink.FindStringSubmatch(m.Text)[1]
	require.Equal(t, map[string]string{"token": "invalid_link"}, b.guest().post("/notices/confirm", map[string]any{"token": token}).status(nethttp.StatusBadRequest).issues())
	b.exec(`UPDATE core_public_notices SET confirmed_at = now(), notice = coalesce(notice, '{}') WHERE id = (SELECT id FROM core_public_notices LIMIT 1)`)
	b.runJob("trim-notices")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_public_notices`), "a confirmed one whose platform could not be asked waits")
	b.exec(`UPDATE core_public_notices SET requested_at = requested_at - interval '7 days'`)
	b.runJob("trim-notices")
	require.Zero(t, b.count(`SELECT count(*) FROM core_public_notices`))
}

// Given decisions on a notice that were made while nothing was mailed, then each mail has the words of its own.
func TestANoticesSenderIsToldTheWordsOfEachDecision(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	b.guest().post("/notices", aNotice("1")).status(nethttp.StatusAccepted)
	b.work()
	b.guest().post("/notices/confirm", map[string]any{"token": noticeLink.FindStringSubmatch(inbox.Next().Text)[1]})
	moderator := b.moderator("Moderator", nil, everyPermission...)
	path := "/moderation/reports/" + moderator.ids("/moderation/reports")[0]
	version := any(1)
	for _, change := range []map[string]any{
		{"to": "/resolve", "resolution": "no_violation", "explanation": "It is satire.", "share": true},
		{"to": "/reopen", "reason": "It is not."},
		{"to": "/resolve", "resolution": "action_taken", "explanation": "It is not satire.", "share": true},
	} {
		to := change["to"].(string)
		delete(change, "to")
		change["expectedVersion"] = version
		version = moderator.post(path+to, change).status(nethttp.StatusOK).body["version"]
	}

	b.run()

	for range 2 {
		text := inbox.Next().Text
		require.Equal(t, strings.Contains(text, "so it stays"), strings.Contains(text, "It is satire."), text)
		require.Equal(t, strings.Contains(text, "taken action"), strings.Contains(text, "It is not satire."), text)
	}
}

// Whoever reports the abuse of a child need not say who they are; it is filed, and nobody is mailed.
func TestANoticeAboutAChildNeedsNoName(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	b.run()
	moderator := b.moderator("Moderator", nil, everyPermission...)
	b.guest().post("/notices", aNotice("1", "category", "child_safety", "name", nil, "email", nil)).status(nethttp.StatusAccepted)
	pgtest.Eventually(t, func() bool { return len(moderator.ids("/moderation/reports")) == 1 }, "it is filed")
	id := moderator.ids("/moderation/reports")[0]
	require.Equal(t, map[string]any{"name": nil, "email": nil, "law": "Trademark Act, § 14"}, moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["notice"])
	moderator.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	pgtest.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM core_queue WHERE name = 'public-notice.outcome' AND status = 'completed'`) == 1
	}, "who is told is looked up")
	inbox.RequireNone()
}

// Given a confirmation whose server died before the report was opened, then a task opens it, once.
func TestAConfirmedNoticeIsFiledByATaskIfItsServerDied(t *testing.T) {
	t.Parallel()
	b, inbox := newNotices(t)
	b.run()
	b.guest().post("/notices", aNotice("1")).status(nethttp.StatusAccepted)
	inbox.Next()
	b.exec(`UPDATE core_public_notices SET confirmed_at = now();
		INSERT INTO core_queue (id, plugin_id, name, queue, status, payload, priority, attempts, max_attempts, available_at, created_at)
		SELECT gen_random_uuid(), '@platform/core', 'public-notice.file', 'outbound', 'pending', json_build_object('noticeId', n.id), 0, 0, 3, now(), now() FROM core_public_notices n, generate_series(1, 3)`)
	pgtest.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM core_queue WHERE name = 'public-notice.file' AND status = 'completed'`) == 3
	}, "each has run")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_reports`))
}
