package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTeamIsWhoIsOnlineAndHoldsWhat(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ada := b.moderator("Ada", nil, everyPermission...)
	ben := b.moderator("Ben", nil, everyPermission...)
	elsewhere := b.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	team := func(c *client) map[string]any { return c.get("/moderation/team").status(nethttp.StatusOK).body }
	empty := team(ada)
	require.Empty(t, empty["holders"])
	require.Nil(t, empty["oldestUnclaimed"])
	names := []any{}
	for _, one := range empty["online"].([]any) {
		names = append(names, one.(map[string]any)["name"])
	}
	require.Equal(t, []any{"Ada", "Ben", "Elsewhere"}, names)
	require.EqualValues(t, 3, empty["onlineCount"])

	claim := map[string]any{"expectedVersion": 1}
	for i, by := range []*client{ada, ben, ben} {
		by.post("/moderation/reports/"+b.file(i, "1")+"/claim", claim).status(nethttp.StatusOK)
	}
	oldest := b.file(3, "1")
	b.file(4, "1")

	full := team(ada)
	require.EqualValues(t, 2, full["holderCount"])
	require.Equal(t, "Ben", full["holders"].([]any)[0].(map[string]any)["name"])
	require.EqualValues(t, 2, full["holders"].([]any)[0].(map[string]any)["reports"])
	require.Equal(t, "Ada", full["holders"].([]any)[1].(map[string]any)["name"])
	require.Equal(t, oldest, full["oldestUnclaimed"].(map[string]any)["id"])
	require.Empty(t, team(elsewhere)["holders"])
	require.Nil(t, team(elsewhere)["oldestUnclaimed"])
}
