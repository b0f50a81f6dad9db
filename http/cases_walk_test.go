package http_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// quietCase is a case with one report that nothing happens to.
type quietCase struct {
	ID, Target, Reason      string
	Rank                    int64
	First, Last, Due, Filed time.Time
}

// Given cases, of which a fifth changes all the time, when they are paged forth and back by
// many filters and orders, then each of the others is there once, in its place. A thousand
// cases and a hundred walks take minutes: DOCKET_WALK_CASES=1000.
func TestNoCaseIsLostWhileOthersChange(t *testing.T) {
	t.Parallel()
	targets := 100
	if cases, err := strconv.Atoi(os.Getenv("DOCKET_WALK_CASES")); err == nil {
		targets = cases
	}
	const restless = 5
	walks := targets / 10
	b := newBundleWith(t, map[string]string{"DOCKET_DEADLINES": "spam=1h,abusive=30m"})
	moderator := b.moderator("Moderator", nil, everyPermission...)
	b.manyPosts(targets)
	b.followCases()
	target := func(i int) string { return fmt.Sprint(firstOfMany + i) }
	rows, err := b.pool.Query(t.Context(), `SELECT c.id::text, c.target_id, r.reason, c.rank, c.first_at, c.last_at, c.due_at, r.created_at
		FROM core_moderation_cases c JOIN core_moderation_reports r USING (plugin_id, target_type, target_id) WHERE c.target_id::int % $1 <> 0`, restless)
	require.NoError(t, err)
	quiet, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c quietCase, err error) {
		var due *time.Time
		err = row.Scan(&c.ID, &c.Target, &c.Reason, &c.Rank, &c.First, &c.Last, &due, &c.Filed)
		if c.Due = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC); due != nil {
			c.Due = *due
		}
		return c, err
	})
	require.NoError(t, err)
	require.Len(t, quiet, targets*(restless-1)/restless)

	change := b.changes(moderator, func() string { return target(restless * rand.IntN(targets/restless)) })
	random := rand.New(rand.NewPCG(18, uint64(time.Now().UnixNano())))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	for range walks {
		query, keep := "", func(quietCase) bool { return true }
		middle := quiet[random.IntN(len(quiet))].Filed
		switch one("", "reason", "after", "before", "unassigned", "type", "scope", "target") {
		case "reason":
			reason := one("spam", "abusive", "rule_violation", "other")
			query, keep = "&reason="+reason, func(c quietCase) bool { return c.Reason == reason }
		case "after":
			query, keep = "&createdAfter="+url.QueryEscape(middle.Format(time.RFC3339Nano)), func(c quietCase) bool { return c.Filed.After(middle) }
		case "before":
			query, keep = "&createdBefore="+url.QueryEscape(middle.Format(time.RFC3339Nano)), func(c quietCase) bool { return c.Filed.Before(middle) }
		case "unassigned":
			query = "&assigned=none"
		case "type":
			query = "&pluginId=forum&targetType=forum.post"
		case "scope":
			query, keep = "&scope=forum.category:nowhere", func(quietCase) bool { return false }
		case "target":
			id := target(random.IntN(targets))
			query, keep = "&targetId="+id, func(c quietCase) bool { return c.Target == id }
		}
		order, direction := one("priority", "firstAt", "lastAt", "dueAt"), one("asc", "desc")
		query = fmt.Sprintf("/moderation/cases?orderBy=%s&order=%s%s", order, direction, query)
		want := inOrder(quiet, order, direction, keep)

		size := 1 + random.IntN(100)
		if len(want) > 100 {
			size = 60 + random.IntN(41)
		}
		forth, back := moderator.forthAndBack(query, size, change)
		require.Equal(t, want, onlyQuiet(forth, restless), "forth by %d: %s", size, query)
		require.Equal(t, want, onlyQuiet(back, restless), "and back: %s", query)
	}
	require.Greater(t, b.count(`SELECT count(*) FROM core_moderation_report_events`), targets+walks, "something did change")
}

// inOrder returns the targets of the cases that are kept, as a list has to show them.
func inOrder(cases []quietCase, order, direction string, keep func(quietCase) bool) []string {
	sorted := slices.Clone(cases)
	slices.SortFunc(sorted, func(a, b quietCase) int {
		by := map[string]int{"priority": cmp.Compare(a.Rank, b.Rank), "firstAt": a.First.Compare(b.First), "lastAt": a.Last.Compare(b.Last), "dueAt": a.Due.Compare(b.Due)}[order]
		by = cmp.Or(by, strings.Compare(a.ID, b.ID))
		if direction == "desc" {
			return -by
		}
		return by
	})
	targets := []string{}
	for _, c := range sorted {
		if keep(c) {
			targets = append(targets, c.Target)
		}
	}
	return targets
}

func onlyQuiet(targets []string, restless int) []string {
	return slices.DeleteFunc(append([]string{}, targets...), func(id string) bool {
		n, err := strconv.Atoi(id)
		return err != nil || n%restless == 0
	})
}

// forthAndBack pages to the end of a list of cases, and from there to its begin, with a
// change before each page. It returns their targets, in the order of the list both times.
func (c *client) forthAndBack(list string, size int, change func()) (forth, back []string) {
	c.b.t.Helper()
	page := func(query string) (targets []string, info map[string]any) {
		change()
		a := c.undescribed(nethttp.MethodGet, list+query, "", nil).status(nethttp.StatusOK)
		for _, e := range a.edges() {
			targets = append(targets, e["target"].(map[string]any)["id"].(string))
		}
		return targets, a.body["pageInfo"].(map[string]any)
	}
	cursor := func(value any) string {
		if value == nil {
			return ""
		}
		return "&cursor=" + url.QueryEscape(value.(string))
	}
	targets, info := page(fmt.Sprintf("&first=%d", size))
	forth = targets
	for info["hasNextPage"] == true {
		next, nextInfo := page(fmt.Sprintf("&first=%d%s", size, cursor(info["endCursor"])))
		if len(next) == 0 { // what was next has gone meanwhile, and this page has no cursor to go back from
			break
		}
		targets, info = next, nextInfo
		forth = append(forth, targets...)
	}
	back = targets
	for info["startCursor"] != nil && info["hasPreviousPage"] == true {
		targets, info = page(fmt.Sprintf("&last=%d%s", size, cursor(info["startCursor"])))
		back = append(slices.Clone(targets), back...)
	}
	return forth, back
}

// changes returns a function that files a report of a target or decides those of another, by
// turns. The decisions find duplicates, which are part of nobody's record, so that they move
// no case of another target.
func (b *bundle) changes(moderator *client, target func() string) func() {
	var reporter *client
	n := 0
	return func() {
		if n%(2*report.FilingsPerHour) == 0 {
			reporter = b.session(b.user(fmt.Sprint("Restless ", n)))
		}
		if n%2 == 0 {
			reporter.undescribed(nethttp.MethodPost, "/moderation/reports", "application/json",
				fmt.Appendf(nil, `{"pluginId":"forum","targetType":"forum.post","targetId":%q,"reason":"abusive"}`, target()))
		} else {
			for _, e := range moderator.undescribed(nethttp.MethodGet, "/moderation/reports?status=new&targetId="+target(), "", nil).edges() {
				moderator.undescribed(nethttp.MethodPost, "/moderation/reports/"+e["id"].(string)+"/resolve", "application/json", []byte(`{"expectedVersion":1,"resolution":"duplicate"}`))
			}
		}
		if n%3 == 0 {
			b.followCases()
		}
		n++
	}
}
