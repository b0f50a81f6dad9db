package http_test

import (
	"fmt"
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

// blindness is a decision with everything that can follow it, and somebody with every right who decides again.
type blindness struct {
	*secondBundle
	root     *client
	report   string
	sibling  string // another report of the content, which was decided with it
	formerly string
	paths    map[string]string // what a route's path can name, by variable
	ids      []string          // what `{id}` can be
	markers  []string          // what must not be shown
}

func newBlindness(t *testing.T) *blindness {
	t.Helper()
	b := &blindness{secondBundle: newSecondBundle(t)}
	b.run()
	root := person{name: "Root", root: true, unlimited: true}
	(&fixture{bundle: b.bundle}).enter(&root)
	b.root = &client{b: b.bundle, header: root.header}
	hook := b.root.post("/admin/webhooks", map[string]any{"url": "https://hooks.example.test/docket", "events": []string{"*"}}).status(201).body["id"].(string)
	b.root.post("/admin/rules", map[string]any{"key": "all", "title": "All", "when": "true", "then": map[string]any{"points": 1, "tags": []string{"all"}}}).status(201)
	rule := b.root.post("/admin/rules/all/mode", map[string]any{"mode": "live"}).status(200)
	require.Equal(t, "live", rule.body["mode"])
	policy := b.publish("spam")
	author := b.postAuthor("1")
	var reporters []int
	for i, id := range b.members {
		if id != author {
			reporters = append(reporters, i)
		}
	}
	b.report = b.file(reporters[0], "1")
	b.formerly = b.members[reporters[2]] // the author of what the other reporter saw
	b.exec(`UPDATE forum_posts SET author_id = '` + b.formerly + `' WHERE id = 1`)
	b.sibling = b.file(reporters[1], "1")
	b.exec(`UPDATE forum_posts SET author_id = '` + author + `' WHERE id = 1`)
	path := "/moderation/reports/" + b.report
	version := func(id string) int {
		return int(b.first.get("/moderation/reports/" + id).status(200).body["version"].(float64))
	}
	b.first.post(path+"/claim", map[string]any{"expectedVersion": version(b.report)}).status(200)
	note := b.first.post(path+"/notes", map[string]any{"body": "NOTE-MARKER of the first"}).status(201).body["note"].(map[string]any)["id"].(string)
	b.first.post(path+"/notes/"+note+"/pin", map[string]any{"until": "2026-12-20T00:00:00Z"})
	b.first.post(path+"/actions/hide", map[string]any{"expectedVersion": version(b.report)}).status(200)
	b.first.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "1"},
		"reports": []any{map[string]any{"id": b.report, "expectedVersion": version(b.report)}, map[string]any{"id": b.sibling, "expectedVersion": version(b.sibling)}},
		"resolve": map[string]any{"resolution": "action_taken", "policy": policy, "explanation": "EXPLANATION-MARKER", "reasons": "REASONS-MARKER", "share": true,
			"measures": []any{map[string]any{"authorId": author, "kind": "warn"}}}}).status(200)
	decided := b.first.get(path).status(200).body
	measure := decided["measures"].([]any)[0].(map[string]any)["measureId"].(string)
	appeal := b.session(author).post("/users/decisions/"+b.report+"/appeal", map[string]any{"text": "APPEAL-MARKER"}).status(201).body["id"].(string)
	b.moderator("Judge", nil, everyPermission...).post("/moderation/appeals/"+appeal+"/uphold", map[string]any{"expectedVersion": version(b.report), "reply": "REPLY-MARKER"}).status(200)
	backtest := b.root.post("/admin/rules/backtests", map[string]any{"when": "true"}).status(nethttp.StatusAccepted).body["id"].(string)
	pgtest.Eventually(t, func() bool { return b.root.get("/admin/rules/backtests/" + backtest).body["state"] == "done" }, "the back-test is done")
	pgtest.Eventually(t, func() bool {
		return len(b.root.get("/admin/webhooks/"+hook+"/deliveries").edges()) > 2
	}, "it is told")
	pgtest.Exec(t, b.pool, `INSERT INTO core_statements (id, report_id, decided_at, due_at, status, look_at)
		SELECT event_id, report_id, now(), now(), 'incomplete', now() FROM core_moderation_report_events WHERE type = 'resolved'`)
	decision := pgtest.One[string](t, b.pool, `SELECT id::text FROM core_statements WHERE report_id = $1`, b.report)
	b.paths = map[string]string{"noteId": note, "author": author, "key": "all", "family": "forum.category", "name": "reports", "plugin": "forum", "type": "forum.post",
		"kind": "moderator", "deliveryId": decision, "pluginId": "forum", "action": "hide"}
	b.ids = []string{b.report, b.sibling, appeal, measure, decision, hook, backtest, author, b.members[reporters[0]], "1"}
	b.markers = []string{"-MARKER", b.report, b.sibling, appeal, measure, note, `"action_taken","explanation"`}
	return b
}

// queries are what lists are asked that read other rows then.
func (b *blindness) queries(path string) []string {
	return append([]string{""}, map[string][]string{
		http.Base + "/moderation/reports":      {"?status=done", "?search=post", "?orderBy=priority", "?author=forum:" + b.paths["author"]},
		http.Base + "/moderation/events":       {"?reportId=" + b.report, "?type=second_decided", "?actorId=" + b.first.id()},
		http.Base + "/moderation/stats/target": {"?pluginId=forum&targetType=forum.post&targetId=1"},
	}[path]...)
}

// sweep reads everything that the document describes, as root, and returns which routes show a marker.
func (b *blindness) sweep() (shown map[string]string) {
	b.t.Helper()
	shown = map[string]string{}
	for _, route := range http.Table(b.api) {
		key := routeKey(route)
		_, path, _ := strings.Cut(key, " ")
		if route.Method != nethttp.MethodGet || strings.HasSuffix(path, "/live") || strings.Contains(path, "{plugin}") || strings.Contains(path, "/oidc") {
			continue
		}
		for name, value := range b.paths {
			path = strings.ReplaceAll(path, "{"+name+"}", value)
		}
		for _, id := range b.ids {
			for _, query := range b.queries(path) {
				a := b.root.undescribed(nethttp.MethodGet, strings.ReplaceAll(path, "{id}", id)+query, "", nil)
				for _, marker := range b.markers {
					if a.code < 300 && strings.Contains(string(a.raw), marker) {
						shown[key] = fmt.Sprintf("%s shows %s: %s", a.what, marker, a.raw)
					}
				}
			}
			if !strings.Contains(path, "{id}") {
				break
			}
		}
	}
	return shown
}

// No route shows the first decision, nor anything that came of it, to who decides again, whatever their rights.
func TestNoRouteShowsTheFirstDecisionToWhoDecidesAgain(t *testing.T) {
	t.Parallel()
	b := newBlindness(t)
	before := b.sweep()
	for _, route := range []string{"/moderation/reports", "/moderation/reports/{id}", "/moderation/reports/{id}/timeline", "/moderation/reports/{id}/replay", "/moderation/reports/{id}/related", "/moderation/events",
		"/moderation/appeals", "/moderation/appeals/{id}", "/moderation/measures", "/moderation/authors/{author}", "/admin/statements", "/admin/rules/backtests/{id}"} {
		require.Contains(t, before, "GET "+core+route, "the test would notice")
	}
	t.Logf("%d routes show it to others", len(before))
	b.draw()
	var id string
	pgtest.Eventually(t, func() bool {
		task := b.root.post(nextSecond, nil)
		if task.code != 200 {
			return false
		}
		id = task.body["id"].(string)
		for _, marker := range b.markers {
			if marker != task.body["reportId"] {
				require.NotContains(t, string(task.raw), marker)
			}
		}
		return true
	}, "it is drawn")
	for route, what := range b.sweep() {
		switch strings.TrimPrefix(route, "GET "+core) {
		case "/moderation/seconds": // which says that it is drawn, and nothing of the decision
		case "/admin/webhooks/{id}/deliveries": // which has the ids of events, and names no report
		default:
			t.Error(route, what)
		}
	}
	for _, drawn := range b.root.get("/moderation/seconds").status(200).edges() {
		require.Nil(t, drawn["first"])
	}

	for _, author := range []string{b.paths["author"], b.formerly} {
		b.root.get("/moderation/authors/"+author).fault(404, "not_found")
	}
	for _, statement := range pgtest.All[string](t, b.pool, `SELECT id::text FROM core_statements`) {
		b.root.post("/admin/statements/"+statement+"/retry", nil).fault(404, "not_found")
	}

	t.Log("nor can they do anything to it")
	for _, route := range http.Table(b.api) {
		key := routeKey(route)
		if route.Method == nethttp.MethodGet || !strings.Contains(key, core+"/moderation/reports/{id}") {
			continue
		}
		path := key
		for name, value := range b.paths {
			path = strings.ReplaceAll(path, "{"+name+"}", value)
		}
		_, path, _ = strings.Cut(strings.ReplaceAll(path, "{id}", b.report), " ")
		a := b.root.undescribed(route.Method, path, "application/json", []byte(bodies(t)[key].json))
		require.Contains(t, []int{404, 405}, a.code, "%s: %s", key, a.raw)
	}
	one := []any{map[string]any{"id": b.sibling, "expectedVersion": 1}}
	b.root.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "1"}, "reports": one, "resolve": map[string]any{"resolution": "no_violation"}}).fault(400, "validation_failed")
	b.root.post("/moderation/similar/decide", map[string]any{"reports": one, "resolve": map[string]any{"resolution": "no_violation"}}).fault(404, "not_found")
	require.NotContains(t, string(b.root.post("/admin/rules/try", map[string]any{"when": "true"}).status(200).raw), b.report)

	t.Log("once they have decided, they see it")
	b.root.post("/moderation/seconds/"+id, map[string]any{"resolution": "no_violation"}).status(200)
	b.root.get("/moderation/reports/" + b.report).status(200)
	require.Len(t, b.root.get("/moderation/appeals").status(200).edges(), 1)
}

// What stands elsewhere tells as little: the content in the thread and in the public API does not look hidden, and its
// author's strikes are told without the decision's.
func TestNothingBesideTellsTheFirstDecisionToWhoDecidesAgain(t *testing.T) {
	t.Parallel()
	b := newSecondBundle(t)
	sameAuthor := pgtest.One[string](t, b.pool, `SELECT o.id::text FROM forum_posts o, forum_posts p
		WHERE p.id = 1 AND o.id <> 1 AND o.author_id = p.author_id LIMIT 1`)
	rule := b.bundle.admin("Rules", permission.AreaPolicies).post("/admin/policies", map[string]any{"key": "spam", "title": "Spam", "text": "No.", "strikes": 2}).status(201).body
	root := b.unlimited("Root")
	b.resolve("1", map[string]any{"resolution": "action_taken", "action": "hide", "policy": map[string]any{"key": "spam", "version": rule["version"]}})
	neighbour, other := b.file(1, "2"), b.file(2, sameAuthor)
	b.run()
	elsewhere := func() (points float64) { // of decisions on other content, in the case of the same author's
		for _, c := range root.get("/moderation/cases?targetType=forum.post&targetId=" + sameAuthor).status(200).edges() {
			for _, part := range c["priority"].(map[string]any)["parts"].([]any) {
				if part := part.(map[string]any); part["name"] == "author" || part["name"] == "records" {
					points += part["points"].(float64)
				}
			}
		}
		return points
	}
	pgtest.Eventually(t, func() bool { return elsewhere() > 0 }, "the case is weighed")
	told := func() (all []any) {
		for _, item := range root.get("/moderation/reports/" + neighbour + "/context").status(200).body["items"].([]any) {
			if item := item.(map[string]any); item["type"] == "forum.post" && item["id"] == "1" {
				all = append(all, item["hidden"])
			}
		}
		proposal := root.get("/moderation/reports/" + other + "/proposal?policy=spam").status(200).body["items"].([]any)[0].(map[string]any)
		all = append(all, proposal["strikes"], proposal["after"], root.get("/api/forum/posts/1").status(200).body["hidden"], elsewhere())
		for _, item := range root.get("/api/forum/posts?first=100").status(200).edges() {
			if item["id"] == "1" {
				all = append(all, item["hidden"])
			}
		}
		return all
	}
	require.Equal(t, []any{true, 2.0, 4.0, true, 4.0, true}, told())
	b.draw()
	task := root.post(nextSecond, nil).status(200).body
	require.Equal(t, []any{false, 0.0, 2.0, false, 0.0, false}, told())
	root.post("/moderation/seconds/"+task["id"].(string), map[string]any{"resolution": "action_taken"}).status(200)
	require.Equal(t, []any{true, 2.0, 4.0, true, 4.0, true}, told())
}
