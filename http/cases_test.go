package http_test

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/cases"
)

// followCases brings the cases up to the log.
func (b *bundle) followCases() {
	b.t.Helper()
	b.follow(cases.Projection)
}

// casesOf are the target ids of a list of cases.
func (c *client) casesOf(query string) []string {
	c.b.t.Helper()
	ids := []string{}
	for _, e := range c.get("/moderation/cases?" + query).status(nethttp.StatusOK).edges() {
		ids = append(ids, e["target"].(map[string]any)["id"].(string))
	}
	return ids
}

func TestCasesAreTargetsWithOpenReports(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	elsewhere := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	require.Empty(t, moderator.casesOf(""))

	one := b.file(0, "1")
	b.file(1, "1")
	b.file(2, "2")
	moderator.post("/moderation/reports/"+one+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	b.followCases()

	require.Equal(t, []string{"1", "2"}, moderator.casesOf(""))
	require.Equal(t, []string{"2", "1"}, moderator.casesOf("order=asc"))
	require.Equal(t, []string{"1", "2"}, moderator.casesOf("orderBy=firstAt"))
	require.Equal(t, []string{"2", "1"}, moderator.casesOf("orderBy=lastAt"))
	require.Len(t, moderator.casesOf("orderBy=dueAt"), 2)
	require.Equal(t, []string{"1"}, moderator.casesOf("assigned=me"))
	require.Len(t, moderator.casesOf("assigned=none"), 2, "one of its reports is enough")
	require.Equal(t, []string{"2"}, moderator.casesOf("targetId=2"))
	require.Empty(t, moderator.casesOf("reason=abusive"))
	require.Empty(t, moderator.casesOf("muted=true"))
	require.Empty(t, moderator.casesOf("search=nobodywrotethis"))
	require.Empty(t, elsewhere.casesOf(""))

	for filter, n := range map[string]int{"assigned=any": 1, "assigned=" + moderator.id(): 1, "createdBefore=2020-01-01T00:00:00Z": 0, "createdAfter=2020-01-01T00:00:00Z": 3,
		"pluginId=forum&targetType=forum.post&targetId=1": 2, "scope=forum.category:nowhere": 0} {
		require.Len(t, moderator.ids("/moderation/reports?"+filter), n, filter)
	}

	// The board has the same order; what has no case comes last.
	done := b.file(3, "3")
	moderator.post("/moderation/reports/"+done+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	b.followCases()
	byPriority := moderator.ids("/moderation/reports?orderBy=priority")
	require.Len(t, byPriority, 4)
	require.Equal(t, []string{done}, byPriority[3:])
	require.Contains(t, byPriority[:2], one)
	require.Equal(t, byPriority[2:], moderator.ids("/moderation/reports?orderBy=priority&page=2&pageSize=2"))
	walked, cursor := []string{}, ""
	for range 4 {
		page := moderator.get("/moderation/reports?orderBy=priority&first=1" + cursor).status(nethttp.StatusOK)
		walked = append(walked, page.edges()[0]["id"].(string))
		cursor = "&cursor=" + page.body["pageInfo"].(map[string]any)["endCursor"].(string)
	}
	require.Equal(t, byPriority, walked)
	back := moderator.get("/moderation/reports?orderBy=priority&last=3" + cursor).status(nethttp.StatusOK).edges()
	require.Equal(t, byPriority[0], back[0]["id"])

	first := moderator.get("/moderation/cases?first=1").status(nethttp.StatusOK)
	c := first.edges()[0]
	require.EqualValues(t, 2, c["openReports"])
	require.Equal(t, map[string]any{"spam": 2.0}, c["reasons"])
	require.Len(t, c["assignees"], 1)
	require.EqualValues(t, 29, c["priority"].(map[string]any)["score"])
	next := moderator.casesOf("first=1&cursor=" + first.body["pageInfo"].(map[string]any)["endCursor"].(string))
	require.Equal(t, []string{"2"}, next)
}

// caseBody is a decision on reports of a post, each expected in version 1.
func caseBody(post string, resolve any, reports ...string) map[string]any {
	expected := []map[string]any{}
	for _, id := range reports {
		expected = append(expected, map[string]any{"id": id, "expectedVersion": 1})
	}
	return map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": post}, "reports": expected, "resolve": resolve}
}

var upheld = map[string]any{"resolution": "action_taken", "explanation": "Spam."}

func TestACaseIsDecidedAsOne(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one, two, late := b.file(0, "1"), b.file(1, "1"), b.file(2, "1")

	body := caseBody("1", upheld, two, one)
	body["action"] = "hide"
	a := moderator.post("/moderation/cases/decide", body).status(nethttp.StatusOK)
	require.EqualValues(t, 1, a.body["remaining"])
	decided := a.body["reports"].([]any)
	require.Equal(t, two, decided[0].(map[string]any)["id"], "in the order of the request")
	for _, id := range []string{one, two} {
		r := moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		require.Equal(t, "done", r["status"])
		require.Equal(t, "action_taken", r["resolution"])
		require.Equal(t, true, r["target"].(map[string]any)["current"].(map[string]any)["hidden"])
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'action'`), "the action ran once")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'action' AND report_id = $1`, one))
	require.Equal(t, "new", moderator.get("/moderation/reports/" + late).status(nethttp.StatusOK).body["status"])
}

// crowd makes n new people report a post and gives the ids of the reports.
func (b *bundle) crowd(post string, n int) []string {
	b.t.Helper()
	ids := make([]string, n)
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for i := part; i < n; i += 8 {
				a := b.session(b.user(fmt.Sprint("One of a crowd ", i))).undescribed(nethttp.MethodPost, "/moderation/reports", "application/json",
					fmt.Appendf(nil, `{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"spam"}`, post))
				ids[i], _ = a.body["id"].(string)
			}
		})
	}
	all.Wait()
	require.NotContains(b.t, ids, "")
	return ids
}

// contents is everything in the tables that a decision writes.
func (b *bundle) contents() map[string]string {
	b.t.Helper()
	found := map[string]string{}
	for _, table := range []string{"core_moderation_reports", "core_moderation_report_events", "core_moderation_appeals", "core_moderation_report_authors",
		"core_moderation_cases", "core_queue", "watermill_docket_events", "forum_posts"} {
		digest := pgtest.One[string](b.t, b.pool, `SELECT coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), '') FROM `+table+` r`)
		found[table] = digest
	}
	return found
}

func TestACaseIsDecidedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, other := b.moderator("Moderator", nil, everyPermission...), b.moderator("Other", nil, everyPermission...)
	one, two := b.file(0, "1"), b.file(1, "1")

	// Given one report that somebody else holds.
	other.post("/moderation/reports/"+two+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	a := moderator.post("/moderation/cases/decide", caseBody("1", upheld, one, two)).fault(nethttp.StatusConflict, "already_claimed")
	conflicts := a.body["conflicts"].([]any)
	require.Len(t, conflicts, 1)
	require.Equal(t, two, conflicts[0].(map[string]any)["id"])
	require.EqualValues(t, 2, conflicts[0].(map[string]any)["current"].(map[string]any)["version"])

	// And one that has changed.
	other.post("/moderation/reports/"+two+"/unassign", map[string]any{"expectedVersion": 2}).status(nethttp.StatusOK)
	before := b.contents()
	a = moderator.post("/moderation/cases/decide", caseBody("1", upheld, one, two)).fault(nethttp.StatusConflict, "conflict")
	require.Len(t, a.body["conflicts"], 1)
	require.Equal(t, before, b.contents(), "nothing was changed")

	// An action that does not fit is no decision either.
	unhide := caseBody("1", upheld, one)
	unhide["action"] = "unhide"
	a = moderator.post("/moderation/cases/decide", unhide).fault(nethttp.StatusConflict, "action_unavailable")
	require.Equal(t, one, a.body["current"].(map[string]any)["id"])
	require.Equal(t, before, b.contents())
}

func TestFaultsOfACaseDecision(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	one, elsewhere := b.file(0, "1"), b.file(0, "2")
	unknown := "01900000-0000-7000-8000-000000000000"

	require.Equal(t, map[string]string{"reports[1].id": "duplicate", "resolve": "required"},
		moderator.post("/moderation/cases/decide", caseBody("1", nil, one, one)).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"reports[1].id": "other_target", "reports[2].id": "unknown_report", "resolve": "required"},
		moderator.post("/moderation/cases/decide", caseBody("1", nil, one, elsewhere, unknown)).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	unnamed := caseBody("1", nil, one)
	unnamed["action"] = "burn"
	require.Equal(t, map[string]string{"action": "unknown_action"},
		moderator.post("/moderation/cases/decide", unnamed).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	require.Equal(t, map[string]string{"target": "required", "reports": "wrong_length", "resolve.resolution": "unknown_value", "extra": "unknown_field"},
		moderator.post("/moderation/cases/decide", `{"reports": [], "resolve": {"resolution": "x"}, "extra": 1}`).fault(nethttp.StatusBadRequest, "validation_failed").issues())

	scoped := b.moderator("Scoped", []string{"offtopic"}, everyPermission...)
	require.Equal(t, map[string]string{"reports[0].id": "unknown_report"},
		scoped.post("/moderation/cases/decide", caseBody("1", upheld, one)).fault(nethttp.StatusBadRequest, "validation_failed").issues())
}
