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
	admin, moderator := b.admin("Rules", permission.AreaRules), b.moderator("Moderator", nil, everyPermission...)
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
