package statistics_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/statistics"
)

func TestFiguresOfPolicies(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	stats := statistics.NewReader(h.Pool)
	read := func(c permission.Coverage) []statistics.PolicyFigures {
		figures, err := stats.Policies(t.Context(), c, statistics.DayFilter{Since: h.Clock().AddDate(0, 0, -7), Until: h.Clock()})
		require.NoError(t, err)
		return figures
	}
	require.Empty(t, read(everything), "before anything is built")

	cite := func(target, key string, version int) string {
		id := h.File(t, 0, target)
		h.Wait(time.Hour)
		h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) {
			return report.DecideResolve(s, "", report.Resolve{Resolution: report.ActionTaken, Policy: &policy.Ref{Key: key, Version: version}, AppealFor: 180 * 24 * time.Hour}, s.Version)
		})
		return id
	}
	appeal := func(id string, by int, decide func(s report.State, a report.Appeal) []report.Fact) {
		h.Do(t, id, by, func(s report.State) ([]report.Fact, error) {
			return report.DecideAppeal(s, report.Author, uuid.NewString(), "No.", h.Clock())
		})
		if decide == nil {
			return
		}
		h.Wait(2 * time.Hour)
		h.Do(t, id, 2, func(s report.State) ([]report.Fact, error) { return decide(s, s.Decision.Appeals[0]), nil })
	}
	overturn := func(s report.State, a report.Appeal) []report.Fact {
		return report.DecideOverturn(s, a, "Yes.", nil, 0)
	}
	uphold := func(_ report.State, a report.Appeal) []report.Fact { return report.DecideUphold(a, "No.") }

	// Given three decisions by one rule, of which one was upheld, one overturned, and one is
	// appealed still; one by another rule, which was reopened; and one by none.
	appeal(cite("1", "spam", 1), 3, uphold)
	appeal(cite("2", "spam", 2), 3, overturn)
	appeal(cite("3", "spam", 2), 3, nil)
	reopened := cite("4", "be-kind", 1)
	appeal(reopened, 3, nil)
	h.Wait(time.Hour)
	h.Reopen(t, reopened, 2)
	plain := h.File(t, 0, "5")
	for _, key := range []string{"spam", "spam", "new-rule"} {
		h.File(t, 0, uuid.NewString(), func(f *moderation.Filing) { f.Created.Policy = &policy.Ref{Key: key, Version: 1} })
	}
	h.Resolve(t, plain, 1, report.ActionTaken)
	h.Follow(t, statistics.Projections...)

	hour, two, half, all := 3600.0, 7200.0, 0.5, 1.0
	require.Equal(t, []statistics.PolicyFigures{
		{Policy: "spam", Reported: 2, Decided: 3, Decision: &hour, AppealsOpened: 3, AppealsUpheld: 1, AppealsOverturned: 1, AppealDecision: &two, ReversalRate: &half},
		{Policy: "be-kind", Decided: 1, Decision: &hour, AppealsOpened: 1, AppealsOverturned: 1, AppealDecision: &hour, ReversalRate: &all},
		{Policy: "new-rule", Reported: 1},
	}, read(everything))
	require.Empty(t, read(permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "topics", Whole: true}}}))
}
