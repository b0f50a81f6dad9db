package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

var (
	author = measure.Author{PluginID: "forum", ID: "42"}
	rule   = policy.Ref{Key: "spam", Version: 2}
)

func suspended(until *time.Time) report.Resolve {
	return report.Resolve{Resolution: report.ActionTaken, Policy: &rule,
		Measures: []report.MeasureImposed{{ID: "m", Author: author, Kind: measure.Suspend, Until: until, Because: measure.ByLadder, Threshold: 2}}}
}

// with is the state after a command that must not fail.
func with(t *testing.T, s report.State, facts []report.Fact, err error) report.State {
	t.Helper()
	require.NoError(t, err)
	actor := ann
	_, s = report.Stamp(s, facts, &actor, start.Add(time.Hour), newID)
	return s
}

func TestADecisionImposesMeasures(t *testing.T) {
	t.Parallel()
	facts, err := report.DecideResolve(given(created()), ann, suspended(ptr(start.Add(48*time.Hour))), 1)
	s := with(t, given(created()), facts, err)
	require.Equal(t, 2, s.Version, "the decision and its measure are one change")
	require.Equal(t, []report.Measure{{ID: "m", Author: author, Kind: measure.Suspend, Until: ptr(start.Add(48 * time.Hour)), Policy: &rule,
		Because: measure.ByLadder, Threshold: 2, ImposedAt: start.Add(time.Hour), ImposedBy: ptr(ann)}}, s.Measures)

	facts, err = report.DecideMeasureEnd(s, "m", "a mistake", 1)
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(err), facts)
	_, err = report.DecideMeasureEnd(s, "another", "a mistake", 2)
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
	facts, err = report.DecideMeasureEnd(s, "m", "a mistake", 2)
	s = with(t, s, facts, err)
	require.Equal(t, 3, s.Version)
	require.Equal(t, measure.EndedByModerator, s.Measures[0].EndedBy)
	facts, err = report.DecideMeasureEnd(s, "m", "a mistake", 2)
	require.NoError(t, err)
	require.Empty(t, facts, "it has ended")
	require.Empty(t, report.DecideMeasureEnds(s, []string{"m"}, start.Add(time.Hour*1000)), "it ends once")
}

func TestWhatReplacesADecisionEndsItsMeasures(t *testing.T) {
	t.Parallel()
	facts, err := report.DecideResolve(given(created()), ann, suspended(nil), 1)
	s := with(t, given(created()), facts, err)
	for name, c := range map[string]struct {
		facts []report.Fact
		err   error
		ends  bool
	}{
		"reopen":                    lift(report.DecideReopen(s, ann, "why not", 2))(true),
		"claim":                     lift(report.DecideClaim(s, bob, 2))(true),
		"assign":                    lift(report.DecideAssign(s, ann, bob, 2))(true),
		"another resolution":        lift(report.DecideResolve(s, ann, report.Resolve{Resolution: report.NoViolation}, 2))(true),
		"another rule":              lift(report.DecideResolve(s, ann, report.Resolve{Resolution: report.ActionTaken}, 2))(true),
		"the same decision":         lift(report.DecideResolve(s, ann, report.Resolve{Resolution: report.ActionTaken, Policy: &rule}, 2))(true),
		"an author's appeal":        {report.DecideOverturn(s, report.Appeal{ID: "a", By: report.Author}, "sorry", nil, 0), nil, true},
		"expiry, which it has none": {report.DecideMeasureEnds(s, nil, start.Add(time.Hour*100000)), nil, false},
		"fewer strikes":             {report.DecideMeasureEnds(s, []string{"m"}, start), nil, true},
	} {
		after := with(t, s, c.facts, c.err)
		require.Equal(t, c.ends, after.Measures[0].EndedAt != nil, name)
		if c.ends {
			require.Equal(t, measure.EndedByOverturn, after.Measures[0].EndedBy, name)
			require.Equal(t, s.Version+1, after.Version, "%s is one change", name)
		}
	}

	orphaned := s // a release before measures has reopened it
	orphaned.Resolution = nil
	require.Len(t, report.DecideMeasureEnds(orphaned, nil, start), 1)
}

type outcome = struct {
	facts []report.Fact
	err   error
	ends  bool
}

func lift(facts []report.Fact, err error) func(bool) outcome {
	return func(ends bool) outcome { return outcome{facts, err, ends} }
}

func TestAPlatformIsAskedForMeasures(t *testing.T) {
	t.Parallel()
	facts, err := report.DecideResolve(given(created()), ann, suspended(nil), 1)
	require.NoError(t, err)
	s := with(t, given(created()), append(facts, report.Ask(facts[len(facts)-1])), nil)
	first := s.Sequence
	order := report.MeasureOrder{MeasureID: "m", Author: author, Kind: measure.Suspend}
	require.Equal(t, report.DeliveryPending, s.Measures[0].Delivery)
	require.NoError(t, s.CheckNoAction(), "no action waits for it")

	confirmed := report.DecideOutcome(s, first, report.Ask(facts[len(facts)-1]), report.ActionOutcome{Changed: true})
	require.Equal(t, []report.Fact{&report.MeasureConfirmed{MeasureOrder: order, Requested: first, Changed: true}}, confirmed)
	after := with(t, s, confirmed, nil)
	require.Equal(t, report.DeliveryDone, after.Measures[0].Delivery)
	require.True(t, after.Asked(&report.MeasureEnded{MeasureID: "m"}))
	require.Equal(t, s.Version, after.Version, "an outcome has no version of its own")
	require.Empty(t, report.DecideOutcome(after, first, report.Ask(facts[len(facts)-1]), report.ActionOutcome{Changed: true}), "it has one outcome")

	t.Log("an end takes the place of a request that has no outcome")
	ended, err := report.DecideMeasureEnd(s, "m", "a mistake", s.Version)
	require.NoError(t, err)
	asked := report.Ask(ended[0])
	require.True(t, asked.Ends)
	s = with(t, s, append(ended, asked), nil)
	require.Equal(t, []report.PendingAction{{MeasureID: "m", Sequence: s.Sequence}}, s.Pending)
	require.Empty(t, report.DecideOutcome(s, first, report.Ask(facts[len(facts)-1]), report.ActionOutcome{Changed: true}))
	again, err := report.DecideMeasureEnd(s, "m", "a mistake", s.Version)
	require.NoError(t, err)
	require.Empty(t, again, "it waits for the platform")

	t.Log("what failed to end can be ended once more")
	failed := report.DecideOutcome(s, s.Sequence, asked, report.ActionOutcome{Failed: report.ActionRefused, Reason: "secret"})
	s = with(t, s, failed, nil)
	require.Equal(t, report.DeliveryFailed, s.Measures[0].Delivery)
	require.Empty(t, s.Pending)
	_, err = report.DecideMeasureEnd(s, "m", "a mistake", s.Version-1)
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(err))
	again, err = report.DecideMeasureEnd(s, "m", "a mistake", s.Version)
	require.NoError(t, err)
	require.Equal(t, []report.Fact{asked}, again)
	require.Equal(t, s.Version+1, with(t, s, again, nil).Version)
}

func TestMeasuresOfAReportAreBounded(t *testing.T) {
	t.Parallel()
	s := given(created())
	s.Measures = make([]report.Measure, report.MaxMeasures-1)
	_, err := report.DecideResolve(s, ann, suspended(nil), 1)
	require.NoError(t, err)
	s.Measures = make([]report.Measure, report.MaxMeasures)
	_, err = report.DecideResolve(s, ann, suspended(nil), 1)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
}
