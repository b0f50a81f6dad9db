package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/projections/statistics"
)

// project brings the counted projections up to the log.
func (b *bundle) project() {
	b.t.Helper()
	b.follow(statistics.Projections...)
}

func TestStats(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	nobody := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	today := time.Now().UTC().Format(time.DateOnly)
	empty := moderator.get("/moderation/stats").status(nethttp.StatusOK)
	require.Empty(t, empty.body["days"], "before anything is projected")

	id := b.file(0, "1")
	b.file(0, "2")
	moderator.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken"}).status(nethttp.StatusOK)
	b.project()

	a := moderator.get("/moderation/stats").status(nethttp.StatusOK)
	days := a.body["days"].([]any)
	require.Len(t, days, 1)
	require.Equal(t, today, days[0].(map[string]any)["day"])
	total := a.body["total"].(map[string]any)
	require.EqualValues(t, 2, total["opened"])
	require.EqualValues(t, 1, total["upheld"])
	require.EqualValues(t, 1, total["firstActions"])
	require.Empty(t, moderator.get("/moderation/stats?targetType=forum.topic").status(nethttp.StatusOK).body["days"])
	require.Len(t, moderator.get("/moderation/stats?pluginId=forum&since=" + today + "&until=" + today).status(nethttp.StatusOK).body["days"], 1)
	require.Empty(t, nobody.get("/moderation/stats").status(nethttp.StatusOK).body["days"])

	reporter := "/moderation/stats/reporters/" + b.members[0]
	require.Equal(t, map[string]any{"filed": 2.0, "open": 1.0, "upheld": 1.0, "notUpheld": 0.0, "duplicate": 0.0},
		moderator.get(reporter).status(nethttp.StatusOK).body)
	require.Zero(t, nobody.get(reporter).status(nethttp.StatusOK).body["filed"], "as if they had filed nothing")
	target := "/moderation/stats/target?pluginId=forum&targetType=forum.post&targetId="
	require.EqualValues(t, 1, moderator.get(target + "1").status(nethttp.StatusOK).body["upheld"])
	require.Zero(t, nobody.get(target + "1").status(nethttp.StatusOK).body["filed"])

	for query, path := range map[string]string{
		"since=x": "since", "until=": "until", "since=2026-02-01&until=2026-01-01": "since", "since=2020-01-01": "since", "until=0001-01-15": "since", "pluginId=%00": "pluginId",
	} {
		require.Contains(t, moderator.get("/moderation/stats?"+query).fault(nethttp.StatusBadRequest, "validation_failed").issues(), path, query)
	}
	require.Len(t, moderator.get("/moderation/stats/target").fault(nethttp.StatusBadRequest, "validation_failed").issues(), 3)
	moderator.get("/moderation/stats/reporters/x").fault(nethttp.StatusNotFound, "not_found")
}
