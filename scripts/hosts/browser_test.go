//go:build hosts

package hosts_test

import (
	"encoding/json"
	"os"
	"slices"
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
	Measure  *measure `json:"measure,omitempty"`
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

type measure struct {
	Rule   string `json:"rule"`
	SignIn string `json:"signIn,omitempty"`
	Login  string `json:"login,omitempty"`
	Form   string `json:"form"`
}

// browse goes with Chromium from a report to hidden content and back, and through the measure on its author.
func browse(t *testing.T, w walk) {
	t.Helper()
	argument, err := json.Marshal(w)
	require.NoError(t, err)
	lifted, done := strings.CutPrefix(run(t, os.Environ(), "node", "browser.mjs", string(argument)), "done ")
	require.True(t, done)
	if w.Measure != nil {
		t.Logf("%s ms after the answer to the overturn, the platform's page had its form again", lifted)
	}
}

// A member reports in the page, a moderator hides, restores and suspends the author, and another overturns it.
func TestNodeShopInABrowser(t *testing.T) {
	t.Parallel()
	admin, shop, verify := startNodeWithDocket(t)
	admin.signIn()
	author := shopMember(admin, shop, "vic")
	rule := twoStrikes(admin)
	browse(t, walk{
		Docket: strings.TrimSuffix(admin.base, core), Page: shop.base + "/", SignIn: "Sign in as Uma",
		Reported: reported{ID: "2", Text: "watches instead"},
		Measure:  &measure{Rule: rule["title"].(string), SignIn: "Sign in as Vic", Form: `form[action="/comments"]`},
	})
	requireNothingStands(author, map[any]int{"appeal": 1, "decision": 1, "measure": 2})
	require.Equal(t, map[any]int{"report": 2}, told(shopMember(admin, shop, "uma")), "of the decision, and of what it is after the appeal")
	verify()
	found := edges(admin.get("/moderation/reports").object)
	require.Len(t, found, 1)
	report := admin.get("/moderation/reports/" + found[0]["id"].(string)).object
	require.Equal(t, "Uma", report["reporter"].(map[string]any)["name"])
	require.ElementsMatch(t, append([]string{"created", "assigned", "resolved", "measure_imposed", "measure_pending", "measure_confirmed",
		"appealed", "appeal_decided", "measure_ended", "resolved", "measure_pending", "measure_confirmed"},
		slices.Repeat([]string{"action_requested", "action"}, 4)...), timeline(report))
}
