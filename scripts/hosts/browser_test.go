//go:build hosts

package hosts_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// walk is the argument of browser.mjs.
type walk struct {
	Docket   string   `json:"docket"`
	Page     string   `json:"page"`
	SignIn   string   `json:"signIn,omitempty"`
	Reported reported `json:"reported"`
	Linked   *linked  `json:"linked,omitempty"`
	Pictures string   `json:"pictures,omitempty"`
}

type reported struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

type linked struct {
	Href string `json:"href"`
	Text string `json:"text"`
}

// browse goes with Chromium from a report to hidden content and back.
func browse(t *testing.T, w walk) {
	t.Helper()
	argument, err := json.Marshal(w)
	require.NoError(t, err)
	require.Equal(t, "done", run(t, os.Environ(), "node", "browser.mjs", string(argument)))
}

// A member reports in the page, and a moderator hides and restores.
func TestNodeShopInABrowser(t *testing.T) {
	t.Parallel()
	admin, shop := startNodeWithDocket(t)
	browse(t, walk{
		Docket: strings.TrimSuffix(admin.base, core), Page: shop.base + "/", SignIn: "Sign in as Uma",
		Reported: reported{ID: "2", Text: "watches instead"},
	})
	admin.signIn()
	found := edges(admin.get("/moderation/reports").object)
	require.Len(t, found, 1)
	report := admin.get("/moderation/reports/" + found[0]["id"].(string)).object
	require.Equal(t, "Uma", report["reporter"].(map[string]any)["name"])
	require.Equal(t, []string{"created", "action_requested", "action", "action_requested", "action"}, timeline(report))
}
