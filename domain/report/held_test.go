package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// asks is a decision that needs a second person.
func asks() *report.Resolve {
	return &report.Resolve{Resolution: report.ActionTaken, Explanation: ptr("secret"), Share: true, Policy: &policy.Ref{Key: "spam", Version: 1},
		Measures: []report.MeasureImposed{{Author: author, Kind: measure.Suspend, Until: ptr(start.Add(48 * time.Hour))}}}
}

// held returns the facts of a decision by ann that waits.
func held(t *testing.T, s report.State) []report.Fact {
	t.Helper()
	facts, err := report.DecideHold(s, ann, report.Hold{Action: "hide", Resolve: asks()}, s.Version, start)
	require.NoError(t, err)
	return facts
}

func TestADecisionIsHeld(t *testing.T) {
	t.Parallel()
	open := given(created())
	s := given(created(), held(t, open))

	require.Equal(t, open.Version+1, s.Version)
	require.Equal(t, report.New, s.Status, "nothing is decided")
	require.Nil(t, s.Resolution)
	require.Empty(t, s.Measures)
	require.Equal(t, &report.HeldDecision{ID: "e", Sequence: 2, By: ann, At: start.Add(time.Minute), ExpiresAt: start.Add(24 * time.Hour),
		Asked: report.Asked{Action: "hide", Resolution: ptr(report.ActionTaken), Policy: &policy.Ref{Key: "spam", Version: 1}, Explained: true, Shared: true,
			Measures: []report.AskedMeasure{{Author: author, Kind: measure.Suspend, Until: ptr(start.Add(48 * time.Hour))}}}}, s.HeldDecision)

	_, err := report.DecideHold(open, ann, report.Hold{Action: "hide"}, open.Version+1, start)
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(err))
	for name, h := range map[string]report.Hold{"an action": {Action: "hide"}, "a resolution": {Resolve: asks()}} {
		_, err = report.DecideHold(s, bob, h, s.Version, start)
		require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "one waits already: %s", name)
	}
}

func TestWhatElseHappensWhileADecisionIsHeld(t *testing.T) {
	t.Parallel()
	open := given(created(), held(t, given(created())))
	done := given(created(), resolved(), held(t, given(created(), resolved())))
	for name, c := range map[string]struct {
		given report.State
		when  func(report.State) ([]report.Fact, error)
		fault domain.Code
	}{
		"claim":         {open, func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, bob, s.Version) }, ""},
		"assign":        {open, func(s report.State) ([]report.Fact, error) { return report.DecideAssign(s, bob, ann, s.Version) }, ""},
		"resolve":       {open, func(s report.State) ([]report.Fact, error) { return report.DecideResolve(s, bob, *asks(), s.Version) }, domain.CodeInvalidState},
		"act":           {open, func(s report.State) ([]report.Fact, error) { return nil, s.CheckAction(false, s.Version) }, domain.CodeInvalidState},
		"request":       {open, func(s report.State) ([]report.Fact, error) { return nil, s.CheckAction(true, s.Version) }, domain.CodeInvalidState},
		"claim, done":   {done, func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, bob, s.Version) }, domain.CodeInvalidState},
		"reopen":        {done, func(s report.State) ([]report.Fact, error) { return report.DecideReopen(s, bob, "why", s.Version) }, domain.CodeInvalidState},
		"resolve again": {done, func(s report.State) ([]report.Fact, error) { return report.DecideResolve(s, bob, *asks(), s.Version) }, domain.CodeInvalidState},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts, err := c.when(c.given)
			require.Equal(t, c.fault, domain.ErrorCode(err))
			require.Equal(t, c.fault == "", len(facts) > 0)
		})
	}
	require.Equal(t, []report.Move{report.MoveClaim, report.MoveAssign}, report.Moves(open, bob, false))
	require.Empty(t, report.Moves(done, bob, false))
}

func TestAHeldDecisionIsReleased(t *testing.T) {
	t.Parallel()
	s := given(created(), held(t, given(created())))
	release := func(id, caller string, version int, at time.Time) error {
		_, err := report.DecideRelease(s, id, caller, true, nil, version, at)
		return err
	}
	require.NoError(t, release("e", bob, s.Version, start.Add(report.HeldFor-1)))
	require.Equal(t, domain.CodeOwnDecision, domain.ErrorCode(release("e", ann, s.Version-1, start)))
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(release("e", bob, s.Version-1, start)))
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(release("other", bob, s.Version, start)))
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(release("e", bob, s.Version, start.Add(report.HeldFor))), "it has lapsed")

	rejected, err := report.DecideRelease(s, "e", bob, false, ptr("why"), s.Version, start)
	require.NoError(t, err)
	events, after := report.Stamp(s, rejected, ptr(bob), start.Add(time.Hour), func() string { return "f" })
	require.Equal(t, bob, *events[0].ActorID)
	require.Nil(t, after.HeldDecision)
	require.Equal(t, report.New, after.Status, "the report is as before")

	approved, err := report.DecideRelease(s, "e", bob, true, nil, s.Version, start)
	require.NoError(t, err)
	waiting := s
	waiting.HeldDecision = nil
	c := *asks()
	c.ReleasedBy = bob
	decided, err := report.DecideResolve(waiting, ann, c, s.Version)
	require.NoError(t, err)
	events, after = report.Stamp(s, append(approved, decided...), ptr(ann), start.Add(time.Hour), func() string { return "f" })
	require.Equal(t, []string{bob, ann, ann}, []string{*events[0].ActorID, *events[1].ActorID, *events[2].ActorID}, "the decision is whose it was")
	require.Equal(t, ann, *after.ResolverID)
	require.Nil(t, after.HeldDecision)
	require.Equal(t, s.Version+1, after.Version)
	for _, maker := range []string{ann, bob} {
		require.True(t, after.MadeBy(maker), maker)
	}
	for _, gone := range []string{ann, bob} {
		removed := report.Evolve(after, report.Event{Fact: &report.AccountRemoved{UserID: gone}})
		require.False(t, removed.MadeBy(gone), gone)
	}
}

func TestAHeldDecisionLapses(t *testing.T) {
	t.Parallel()
	s := given(created(), held(t, given(created())))
	require.Empty(t, report.DecideHeldLapse(s, start.Add(report.HeldFor-1)))
	lapsed := report.DecideHeldLapse(s, start.Add(report.HeldFor))
	require.Equal(t, []report.Fact{&report.HeldLapsed{HeldID: "e"}}, lapsed)
	_, after := report.Stamp(s, lapsed, nil, start.Add(report.HeldFor), func() string { return "f" })
	require.Nil(t, after.HeldDecision)
	require.Empty(t, report.DecideHeldLapse(after, start.Add(2*report.HeldFor)), "it lapses once")

	require.Equal(t, lapsed, report.DecideHeldGone(s, ann), "with the account of who made it")
	require.Empty(t, report.DecideHeldGone(s, bob))
}

func TestWhatIsPublishedOfHeldDecisions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fact    report.Fact
		name    string
		payload any
	}{
		{held(t, given(created()))[0], "moderation.report.held", event.Held{ReportID: "r"}},
		{&report.HeldReleased{Approved: true}, "moderation.report.released", event.Released{ReportID: "r", Approved: true}},
		{&report.HeldReleased{}, "moderation.report.released", event.Released{ReportID: "r"}},
		{&report.HeldLapsed{}, "moderation.report.released", event.Released{ReportID: "r"}},
	} {
		name, payload := report.PublishedAs(report.Event{ReportID: "r", Fact: c.fact})
		require.Equal(t, c.name, name)
		require.Equal(t, c.payload, payload)
	}
}
