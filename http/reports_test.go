package http_test

import (
	"fmt"
	nethttp "net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func at(version any) map[string]any { return map[string]any{"expectedVersion": version} }

func TestAReportFromFilingToReopening(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	id := b.file(0, "1")
	path := "/moderation/reports/" + id

	got := mo.get(path).status(200)
	require.Equal(t, []any{"claim", "assign", "resolve"}, got.body["moves"])
	require.Equal(t, "general", got.body["target"].(map[string]any)["scope"].(map[string]any)["id"])

	claimed := mo.post(path+"/claim", at(1)).status(200)
	require.Equal(t, "in_progress", claimed.body["status"])
	require.EqualValues(t, 2, claimed.body["version"])
	mo.post(path+"/claim", at(1)).status(200) // again: nothing changes
	require.EqualValues(t, 2, mo.get(path).body["version"])

	other := b.moderator("Other", nil, everyPermission...)
	other.post(path+"/claim", at(1)).fault(409, "already_claimed")
	require.JSONEq(t, `{"error":"already_claimed"}`, string(other.post(path+"/claim", at(2)).raw))
	stale := other.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).fault(409, "conflict")
	require.Equal(t, id, stale.body["current"].(map[string]any)["id"])
	require.Len(t, stale.body, 2, "the body has error and current, and nothing more")

	note := mo.post(path+"/notes", map[string]any{"body": "  looks like spam "}).status(201)
	require.Equal(t, "looks like spam", note.body["note"].(map[string]any)["body"])
	noteID := note.body["note"].(map[string]any)["id"].(string)
	rich := map[string]any{"type": "doc", "content": []any{map[string]any{"type": "paragraph", "content": []any{map[string]any{"type": "text", "text": "rich"}}}}}
	mo.post(path+"/notes/"+noteID+"/edit", map[string]any{"body": rich}).status(200)
	mo.do(nethttp.MethodPost, path+"/notes/"+noteID+"/delete", "application/json", nil).status(200)
	require.EqualValues(t, 2, mo.get(path).body["version"], "notes leave the version alone")

	hidden := mo.post(path+"/actions/hide", at(2)).status(200)
	require.Equal(t, true, hidden.body["target"].(map[string]any)["current"].(map[string]any)["hidden"])
	mo.post(path+"/actions/hide", at(3)).fault(409, "action_unavailable")
	mo.post(path+"/actions/explode", at(3)).fault(404, "not_found")

	done := mo.post(path+"/resolve", map[string]any{"expectedVersion": 3, "resolution": "action_taken", "explanation": "spam"}).status(200)
	require.Equal(t, "done", done.body["status"])
	require.NotNil(t, done.body["resolvedAt"])
	mo.post(path+"/unassign", at(4)).fault(409, "invalid_state")
	reopened := mo.post(path+"/reopen", map[string]any{"expectedVersion": 4, "reason": "a mistake"}).status(200)
	require.Equal(t, "in_progress", reopened.body["status"], "the assignee stayed")
	require.Nil(t, reopened.body["resolution"])
	mo.post(path+"/assign", map[string]any{"expectedVersion": 5, "assigneeId": nil}).status(200)

	timeline := mo.get(path + "/timeline").status(200)
	require.Equal(t, []any{"created", "assigned", "note_added", "note_updated", "note_deleted", "action", "resolved", "reopened", "assigned"}, timeline.types())
	for i, e := range timeline.edges() {
		require.EqualValues(t, i+1, e["sequence"])
	}

	then := mo.get(path + "/replay?sequence=3").status(200)
	require.Equal(t, true, then.body["notes"].([]any)[0].(map[string]any)["withheld"], "a former text is for auditors")
	require.Equal(t, "done", mo.get(path + "/replay?sequence=7").status(200).body["status"])
	mo.get(path+"/replay?sequence=99").fault(404, "not_found")
	mo.get(path+"/replay?at=0001-01-01T00:00:00Z").fault(404, "not_found")
}

func TestFilingRules(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	member := b.member(0)
	file := func(change map[string]any) *answer {
		body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam"}
		for k, v := range change {
			body[k] = v
		}
		return member.post("/moderation/reports", body)
	}
	for name, c := range map[string]struct {
		change map[string]any
		want   map[string]string
	}{
		"an unknown target":     {map[string]any{"targetType": "forum.nothing"}, map[string]string{"targetType": "unknown_target"}},
		"an id of another form": {map[string]any{"targetId": "0x1"}, map[string]string{"targetId": "invalid"}},
		"an unknown reason":     {map[string]any{"reason": "boredom"}, map[string]string{"reason": "unknown_value"}},
		"other without details": {map[string]any{"reason": "other"}, map[string]string{"description": "required"}},
		"U+0000":                {map[string]any{"description": "a\x00b"}, map[string]string{"description": "invalid_text"}},
		"a wrong locale":        {map[string]any{"locale": "'; --"}, map[string]string{"locale": "invalid"}},
		"everything at once": {map[string]any{"pluginId": 1, "targetId": nil, "reason": "x", "description": strings.Repeat("a", 2001), "extra": 1},
			map[string]string{"pluginId": "wrong_type", "targetType": "unknown_target", "targetId": "wrong_type", "reason": "unknown_value", "description": "too_long", "extra": "unknown_field"}},
	} {
		got := file(c.change).fault(400, "validation_failed")
		require.Equal(t, c.want, got.issues(), name)
	}
	file(map[string]any{"targetId": "999999"}).fault(404, "not_found")
	filed := file(nil).status(201)
	again := file(nil).fault(409, "already_reported")
	require.Equal(t, filed.body["id"], again.body["reportId"])
}

func TestCSRF(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	member := b.member(0)
	require.Equal(t, "Forbidden", string(member.do(nethttp.MethodPost, "/moderation/reports", "TEXT/PLAIN; charset=utf-8", []byte("a=b")).status(403).raw))
	member.header.Set("Origin", "http://docket.test")
	member.do(nethttp.MethodPost, "/moderation/reports", "text/plain", []byte("a=b")).fault(415, "unsupported_media_type")
	member.header.Set("Origin", "http://docket.test.evil.test")
	member.do(nethttp.MethodPost, "/moderation/reports", "text/plain", []byte("a=b")).status(403)
}

// A generated client sends no content type where it sends no body. No form can send the token.
func TestABearerTokenNeedsNoContentTypeWithoutABody(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	cookie := b.moderator("Mo", nil, everyPermission...)
	p := person{name: "Jo", root: true, unlimited: true, use: permission.UseAdmin}
	b.enter(&p)
	bearer := &client{b: b, header: p.header}
	const route = "/moderation/next"
	bearer.do(nethttp.MethodPost, route, "", nil).status(204)
	bearer.do(nethttp.MethodPost, "/moderation/cases/decide", "", nil).fault(415, "unsupported_media_type")
	refused := map[string]*answer{
		"a session":             cookie.do(nethttp.MethodPost, route, "", nil),
		"a body":                bearer.do(nethttp.MethodPost, route, "", []byte("{}")),
		"a form's content type": bearer.do(nethttp.MethodPost, route, "text/plain", nil),
		"the trigger of jobs":   bearer.do(nethttp.MethodPost, "/cron", "", nil),
		"the trigger, escaped":  bearer.undescribed(nethttp.MethodPost, "/%63ron", "", nil),
		"a guest":               b.guest().do(nethttp.MethodPost, "/users/sign-out", "", nil),
	}
	bearer.header.Add("Cookie", cookie.header.Get("Cookie"))
	refused["a session beside a token"] = bearer.do(nethttp.MethodPost, route, "", nil)
	bearer.header.Set("Authorization", "Basic bW86cGFzc3dvcmQ=")
	refused["a password that the browser keeps"] = bearer.do(nethttp.MethodPost, route, "", nil)
	for name, got := range refused {
		require.Equal(t, 403, got.code, name)
		require.Equal(t, "Forbidden", string(got.raw), name)
	}
}

func TestAssigning(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	b.moderator("Scoped Elsewhere", []string{"offtopic"}, everyPermission...)
	id := b.file(0, "1")
	require.Equal(t, []any{}, b.moderator("Viewer", nil, permission.ViewReports).get("/moderation/reports/" + id).status(200).body["moves"])
	people := mo.get("/moderation/reports/" + id + "/assignees").status(200).edges()
	require.Len(t, people, 1)
	require.Equal(t, true, people[0]["self"])
	got := mo.post("/moderation/reports/"+id+"/assign", map[string]any{"expectedVersion": 1, "assigneeId": b.members[0]}).fault(400, "validation_failed")
	require.Equal(t, map[string]string{"assigneeId": "not_assignable"}, got.issues())
	require.Equal(t, map[string]string{"assigneeId": "required", "expectedVersion": "required"}, mo.post("/moderation/reports/"+id+"/assign", `{}`).issues())
	mo.post("/moderation/reports/"+id+"/assign", map[string]any{"expectedVersion": 1, "assigneeId": people[0]["id"]}).status(200)

	// Repeating an assignment is safe, also once its assignee may manage no more.
	colleague := b.user("Colleague")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, colleague, forumEntry(nil, everyPermission...)))
	toColleague := map[string]any{"expectedVersion": 2, "assigneeId": colleague}
	mo.post("/moderation/reports/"+id+"/assign", toColleague).status(200)
	pgtest.Exec(t, b.pool, `UPDATE core_staff_entries SET permissions = '[]' WHERE user_id = $1`, colleague)
	require.EqualValues(t, 3, mo.post("/moderation/reports/"+id+"/assign", toColleague).status(200).body["version"])
	mo.post("/moderation/reports/"+id+"/unassign", at(3)).status(200)
	mo.post("/moderation/reports/"+id+"/assign", toColleague).fault(400, "validation_failed")
}

// A move that is offered is one that is answered: no longer is one that would
// open a second report by the same reporter.
func TestMovesOfAReportThatWasFiledAnew(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	path := "/moderation/reports/" + b.file(0, "1")
	b.file(1, "1")
	done := mo.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "duplicate"}).status(200)
	require.Equal(t, []any{"claim", "assign", "resolve", "reopen"}, done.body["moves"], "somebody else's report is in nobody's way")

	anew := b.file(0, "1")

	require.Equal(t, []any{"resolve"}, mo.get(path).status(200).body["moves"])
	mo.post(path+"/claim", at(2)).fault(409, "already_reported")
	mo.post("/moderation/reports/"+anew+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "duplicate"}).status(200)
	require.Equal(t, []any{"claim", "assign", "resolve", "reopen"}, mo.get(path).status(200).body["moves"])
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mo := b.moderator("Mo", nil, everyPermission...)
	b.member(0).post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "other",
		"description": "Sells cheap Ωmega-watches and e\u0301clairs at shop.example/buy"}).status(201)
	for search, found := range map[string]int{
		"WATCHES cheap": 1, "ωmega": 1, "member": 1, "1": 1, "atches": 0, "watch car": 0, "\u00e9clair": 1,
		`"|&!():*<->\`: 0, "watch' | 'x": 0, strings.Repeat("zz ", 60): 0,
	} {
		got := mo.get("/moderation/reports?search=" + url.QueryEscape(search)).status(200)
		require.Len(t, got.edges(), found, search)
		require.EqualValues(t, found, got.body["pageInfo"].(map[string]any)["totalCount"], search)
	}
	for _, bad := range []string{"search=%00", "search=%ff", "status=open", "assigned=bob", "scope=x", "scope=%ff:general", "scope=a%00b:general", "createdAfter=yesterday", "reason=x", "first=0", "first=1&last=1",
		"orderBy=title", "order=up", "page=0", "page=1&first=2", "pageSize=x", "first="} {
		mo.get("/moderation/reports?"+bad).fault(400, "validation_failed")
	}
	mo.get("/moderation/reports?cursor=xx").fault(400, "invalid_cursor")
	require.EqualValues(t, 1, mo.get("/moderation/reports?page=1&pageSize=5").status(200).body["pageInfo"].(map[string]any)["page"])
}

func TestRoutesThatAreNotThere(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.guest().get("/nothing").fault(404, "not_found")
	got := b.guest().do(nethttp.MethodDelete, "/moderation/reports", "", nil).fault(405, "method_not_allowed")
	require.Equal(t, "GET, HEAD, POST", got.header.Get("Allow"))
	mo := b.moderator("Mo", nil, everyPermission...)
	require.NotEmpty(t, got.header.Get("X-Request-Id"))
	mo.header.Set("X-Request-Id", "mine-1")
	require.Equal(t, "mine-1", mo.get("/moderation/reports/counts").header.Get("X-Request-Id"))
	mo.header.Set("X-Request-Id", "not sane\t")
	require.NotEqual(t, "not sane\t", mo.get("/moderation/reports/counts").header.Get("X-Request-Id"))
}

func TestNeedlessEscapesAreTheSamePath(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for path, want := range map[string]int{
		"/api/%40platform/core/moderation/reports":    nethttp.StatusUnauthorized,
		"/%61pi/@platform/core/moderation/%72eports":  nethttp.StatusUnauthorized,
		"/api/@platform%2Fcore/moderation/reports":    nethttp.StatusNotFound,
		"/api/@platform/core/moderation/%2e%2e/users": nethttp.StatusNotFound,
	} {
		answer, err := b.server.Client().Get(b.server.URL + path)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, want, answer.StatusCode, path)
	}
	id := b.file(0, "1")
	mo := b.moderator("Mo", nil, everyPermission...)
	mo.get(fmt.Sprintf("/moderation/reports/%%%x%s", id[0], id[1:])).status(200)
}

// Without a bound, a body of 1 MiB would be answered with many times its size,
// to guests too.
func TestFaultsAreNotAnsweredAtGreaterLengthThanTheyWereSent(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var fields strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&fields, `,"%x":1`, i)
	}
	long := strings.Repeat("k", 100_000)
	for name, body := range map[string]string{
		"many unknown fields":    `{"email":"a@b.c"` + fields.String() + `}`,
		"a long name of a field": `{"` + long + `":1}`,
		"a long duplicate key":   `{"` + long + `":1,"` + long + `":2}`,
	} {
		got := b.guest().post("/users/sign-in", body).fault(400, "validation_failed")
		require.Less(t, len(got.raw), 20_000, name)
	}
}
