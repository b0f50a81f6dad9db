package statistics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/statistics"
)

func within(category string) permission.Coverage {
	return (&permission.Entry{Grants: []permission.Grant{{Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{category}}}}}).Coverage(permission.ViewReports)
}

// Given a target that moves from one scope to another after it was reported, then its record
// and that of its reporter are seen by whoever may see it now, and by nobody else.
func TestRecordsFollowThePresentScope(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	stats := statistics.NewReader(h.Pool)
	h.File(t, 0, "1")
	h.File(t, 0, "2")
	h.SQL(t, `UPDATE core_moderation_targets SET scope_family = 'forum.category', scope_id = CASE target_id WHEN '1' THEN 'general' ELSE 'support' END`)
	h.Follow(t, statistics.Projections...)
	see := func(category string) (target, reporter int64) {
		one, err := stats.Target(t.Context(), within(category), "forum", "forum.post", "1")
		require.NoError(t, err)
		all, err := stats.Reporter(t.Context(), within(category), h.Users[0])
		require.NoError(t, err)
		return one.Filed, all.Filed
	}
	target, reporter := see("general")
	require.Equal(t, []int64{1, 1}, []int64{target, reporter})
	target, reporter = see("support")
	require.Equal(t, []int64{0, 1}, []int64{target, reporter})

	h.SQL(t, `UPDATE core_moderation_targets SET scope_id = 'support' WHERE target_id = '1'`)
	target, reporter = see("general")
	require.Equal(t, []int64{0, 0}, []int64{target, reporter})
	target, reporter = see("support")
	require.Equal(t, []int64{1, 2}, []int64{target, reporter})
}

// Given a report that is filed in one scope and decided in another, to which its target has
// moved, then each of them has its own part in the daily figures, also once they move again.
func TestDailyFiguresBelongToTheScopeOfTheirTime(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	move := func(to string) {
		h.SQL(t, `UPDATE core_moderation_targets SET scope_family = 'forum.category', scope_id = '`+to+`'`)
	}
	id := h.File(t, 0, "1", logtest.In("general"))
	move("support")
	h.Claim(t, id, 1)
	h.Resolve(t, id, 1, report.ActionTaken)
	move("general")
	h.Reopen(t, id, 1)
	move("elsewhere")
	h.Follow(t, statistics.Projections...)

	figures := func(category string) statistics.Figures {
		_, total, err := statistics.NewReader(h.Pool).Daily(t.Context(), within(category), statistics.DayFilter{Since: h.Clock(), Until: h.Clock()})
		require.NoError(t, err)
		return total
	}
	none := 0.0
	require.Equal(t, statistics.Figures{Opened: 1, Reopened: 1}, figures("general"))
	require.Equal(t, statistics.Figures{FirstActions: 1, FirstAction: &none, Decided: 1, Upheld: 1, Decision: &none}, figures("support"))
	require.Zero(t, figures("elsewhere"))
}
