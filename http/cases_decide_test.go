package http_test

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
)

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
		var digest string
		require.NoError(b.t, b.pool.QueryRow(b.t.Context(), `SELECT coalesce(md5(string_agg(r::text, '|' ORDER BY r::text)), '') FROM `+table+` r`).Scan(&digest))
		found[table] = digest
	}
	return found
}

func TestOneStaleReportOfTwoHundredLeavesEverythingAsItWas(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator := b.moderator("Moderator", nil, everyPermission...)
	ids := b.crowd("1", moderation.MaxCaseReports)
	stale := ids[137]
	moderator.post("/moderation/reports/"+stale+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	before := b.contents()
	body := caseBody("1", upheld, ids...)
	body["action"] = "hide"

	conflicts := moderator.post("/moderation/cases/decide", body).fault(nethttp.StatusConflict, "conflict").body["conflicts"].([]any)
	require.Len(t, conflicts, 1)
	require.Equal(t, stale, conflicts[0].(map[string]any)["id"])
	require.Equal(t, before, b.contents())

	// With its version, all of them are decided.
	body["reports"].([]map[string]any)[137]["expectedVersion"] = 2
	a := moderator.post("/moderation/cases/decide", body).status(nethttp.StatusOK)
	require.EqualValues(t, 0, a.body["remaining"])
	require.Equal(t, moderation.MaxCaseReports, b.count(`SELECT count(*) FROM core_moderation_reports WHERE status = 'done' AND resolution = 'action_taken'`))
	require.NotEqual(t, before, b.contents())
	b.sound()
}
