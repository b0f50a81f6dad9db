package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

func TestAConditionIsCheckedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	admin := b.admin("Rules", permission.AreaRules)
	checked := admin.post("/admin/rules/check", map[string]any{"when": "reason == \"spam\" &&\n  nobody"}).status(nethttp.StatusOK).body
	fault := checked["faults"].([]any)[0].(map[string]any)
	require.EqualValues(t, 2, fault["line"])
	require.EqualValues(t, 3, fault["column"])
	require.Contains(t, checked["facts"], map[string]any{"name": "author.strikes", "type": "int"})
	require.Empty(t, admin.post("/admin/rules/check", map[string]any{"when": "muted"}).status(nethttp.StatusOK).body["faults"])

	for _, bad := range []map[string]any{{"when": "nobody"}, {"when": 7}, {}, {"when": strings.Repeat("(", 4000)}, {"when": "muted", "since": "yesterday"},
		{"when": "muted", "since": "2026-02-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"}, {"when": "muted", "then": map[string]any{}}} {
		admin.post("/admin/rules/backtests", bad).status(nethttp.StatusBadRequest)
	}
	require.Empty(t, admin.get("/admin/rules/backtests").status(nethttp.StatusOK).body["items"])
}

func TestABacktestTellsWhatAConditionWouldHaveMatched(t *testing.T) {
	t.Parallel()
	const all = "/admin/rules/backtests"
	b := newBundle(t)
	id, admin := b.administrator("Rules", permission.AreaRules)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	spam, other := b.fileAs(0, "1", `<p>Buy at <a href="https://shop.example">the shop</a></p>`), b.fileAs(1, "2", "<p>A poem</p>")
	moderator.post("/moderation/reports/"+spam+"/resolve", map[string]any{"resolution": "action_taken", "expectedVersion": 1}).status(nethttp.StatusOK)
	moderator.post("/moderation/reports/"+other+"/resolve", map[string]any{"resolution": "no_violation", "expectedVersion": 1}).status(nethttp.StatusOK)
	b.fileAs(2, "3", "<p>https://shop.example/again</p>")
	b.seal()

	asked := admin.post(all, map[string]any{"when": `links.exists(l, l.startsWith("https://shop."))`}).status(nethttp.StatusAccepted).body
	require.Equal(t, "queued", asked["state"])
	b.work()
	one := all + "/" + asked["id"].(string)
	done := admin.get(one).status(nethttp.StatusOK).body
	require.Equal(t, "done", done["state"], done)
	result := done["result"].(map[string]any)
	require.Equal(t, []any{3.0, 2.0, 1.0, 1.0, 0.0, 1.0},
		[]any{result["evaluated"], result["matched"], result["upheld"], result["open"], result["rejected"], result["precision"]})
	require.Equal(t, spam, result["examples"].([]any)[0].(map[string]any)["reportId"])
	require.Len(t, result["rootHash"], 64)
	require.Len(t, admin.get(all).status(nethttp.StatusOK).body["items"], 1)
	require.Equal(t, "done", admin.post(one+"/cancel", "").status(nethttp.StatusOK).body["state"])

	admin.post("/admin/rules", map[string]any{"key": "poems", "title": "Poems", "when": `text.contains("poem")`, "then": map[string]any{"points": 1}}).status(nethttp.StatusCreated)
	poems := map[string]any{"key": "poems", "version": 1}
	asked = admin.post(all, map[string]any{"when": `text.contains("shop") || text.contains("poem")`, "against": poems}).status(nethttp.StatusAccepted).body
	require.Equal(t, map[string]any{"key": "poems", "version": 1.0}, asked["against"])
	b.work()
	result = admin.get(all + "/" + asked["id"].(string)).status(nethttp.StatusOK).body["result"].(map[string]any)
	require.Equal(t, []any{1.0, 2.0, 0.0}, []any{result["both"], result["onlyNew"], result["onlyOld"]})
	poems["version"] = 2
	require.Contains(t, admin.post(all, map[string]any{"when": "muted", "against": poems}).status(nethttp.StatusBadRequest).issues()["against"], "unknown_rule")

	answered := admin.post("/admin/rules/try", map[string]any{"when": `text.contains("poem") && reason != "x" || muted`}).status(nethttp.StatusOK).body
	tried := answered["items"].([]any)
	require.Len(t, tried, 3)
	require.Equal(t, true, answered["whole"])
	require.Equal(t, map[string]any{"reportId": other, "title": nil, "matched": true, "held": []any{`text.contains("poem")`, `reason != "x"`}, "outcome": "rejected"}, tried[1])
	require.Equal(t, []any{false, "open"}, []any{tried[0].(map[string]any)["matched"], tried[0].(map[string]any)["outcome"]})
	admin.post("/admin/rules/try", map[string]any{"when": "nobody"}).status(nethttp.StatusBadRequest)
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, id, forumEntry(nil, permission.ViewReports)))
	tried = admin.post("/admin/rules/try", map[string]any{"when": "muted"}).status(nethttp.StatusOK).body["items"].([]any)
	require.NotEmpty(t, tried[1].(map[string]any)["title"], "of a report that they may view")

	// Words that are erased are not evaluated.
	_, err := b.log().Erase(t.Context(), spam, nil, report.EveryWord)
	require.NoError(t, err)
	b.seal()
	asked = admin.post(all, map[string]any{"when": "true"}).status(nethttp.StatusAccepted).body
	b.work()
	result = admin.get(all + "/" + asked["id"].(string)).status(nethttp.StatusOK).body["result"].(map[string]any)
	require.Equal(t, []any{2.0, 1.0, 2.0}, []any{result["evaluated"], result["erased"], result["matched"]})

	for range 20 {
		admin.post(all, map[string]any{"when": "true"}).status(nethttp.StatusAccepted)
	}
	admin.post(all, map[string]any{"when": "true"}).status(nethttp.StatusTooManyRequests)
	admin.get(all + "/01890000-0000-7000-8000-000000000000").status(nethttp.StatusNotFound)
}

func TestARuleIsPublishedInVersions(t *testing.T) {
	t.Parallel()
	const all = "/admin/rules"
	b := newBundle(t)
	admin := b.admin("Rules", permission.AreaRules)
	rule := func(title string) map[string]any {
		return map[string]any{"key": "links", "title": title, "when": "links.size() > 2", "then": map[string]any{"points": 5, "due": "1h", "tags": []string{"b", "a"}}}
	}
	first := admin.post(all, rule("Links")).status(nethttp.StatusCreated).body
	require.Equal(t, []any{"links", 1.0, "draft", nil, map[string]any{"points": 5.0, "due": "1h", "tags": []any{"a", "b"}}},
		[]any{first["key"], first["version"], first["mode"], first["retiredAt"], first["then"]})
	require.Equal(t, first, admin.post(all, rule(" Links ")).status(nethttp.StatusOK).body)
	require.Equal(t, "shadow", admin.post(all+"/links/mode", map[string]any{"mode": "shadow"}).status(nethttp.StatusOK).body["mode"])
	require.Equal(t, []any{2.0, "shadow"}, []any{admin.post(all, rule("Many links")).status(nethttp.StatusCreated).body["version"],
		admin.get(all).status(nethttp.StatusOK).body["edges"].([]any)[0].(map[string]any)["mode"]})
	require.Len(t, admin.get(all + "?key=links&versions=all").status(nethttp.StatusOK).body["edges"], 2)
	require.Empty(t, admin.get(all + "?key=other").status(nethttp.StatusOK).body["edges"])
	require.NotNil(t, admin.post(all+"/links/retire", "").status(nethttp.StatusOK).body["retiredAt"])
	require.Empty(t, admin.get(all).status(nethttp.StatusOK).body["edges"])
	require.Len(t, admin.get(all + "?versions=latest").status(nethttp.StatusOK).body["edges"], 1)
	admin.post(all+"/links/mode", map[string]any{"mode": "live"}).status(nethttp.StatusConflict)
	admin.post(all+"/links/mode", map[string]any{"mode": "on"}).status(nethttp.StatusBadRequest)
	admin.post(all+"/none/mode", map[string]any{"mode": "live"}).status(nethttp.StatusNotFound)
	admin.post(all+"/No/retire", "").status(nethttp.StatusNotFound)
	admin.get(all + "?key=No&versions=old").status(nethttp.StatusBadRequest)
}

func TestEveryFaultOfARuleIsToldAtOnce(t *testing.T) {
	t.Parallel()
	admin := newBundle(t).admin("Rules", permission.AreaRules)
	for name, test := range map[string]struct {
		body   map[string]any
		faults []string
	}{
		"of every field": {map[string]any{"key": "No", "title": " ", "when": "nobody &&\nnothing", "then": map[string]any{"points": 101, "due": "soon", "tags": []string{"A"}}, "more": 1},
			[]string{"key", "title", "when", "when", "then.points", "then.due", "then.tags[0]", "more"}},
		"of types": {map[string]any{"key": 1, "title": 2, "when": 3, "then": map[string]any{"points": "5", "due": 60, "tags": "a", "hide": 1, "decide": true}},
			[]string{"key", "title", "when", "then.points", "then.due", "then.tags", "then.hide", "then.decide"}},
		"nothing": {map[string]any{}, []string{"key", "title", "when", "then"}},
		"depth":   {map[string]any{"key": "a", "title": "A", "when": strings.Repeat("(", 1_900) + "muted" + strings.Repeat(")", 1_900), "then": map[string]any{"hide": true}}, []string{"when"}},
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			for _, issue := range admin.post("/admin/rules", test.body).status(nethttp.StatusBadRequest).body["issues"].([]any) {
				paths = append(paths, issue.(map[string]any)["path"].(string))
			}
			require.ElementsMatch(t, test.faults, paths)
		})
	}
}
