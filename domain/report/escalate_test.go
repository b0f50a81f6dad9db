package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

func TestEscalation(t *testing.T) {
	t.Parallel()
	const lead, other = "lead", "other"
	held := given(created(), assigned(ptr(ann), nil))
	note := report.EscalatedWords{Note: "why"}
	run := func(s report.State, by string, facts []report.Fact, err error) report.State {
		t.Helper()
		require.NoError(t, err)
		_, after := report.Stamp(s, facts, ptr(by), start.Add(time.Hour), newID)
		return after
	}
	escalate := func(s report.State, by string, to *string) report.State {
		t.Helper()
		facts, err := report.DecideEscalate(s, by, to, "why", s.Version)
		return run(s, by, facts, err)
	}
	giveBack := func(s report.State, mayWork bool) report.State {
		t.Helper()
		facts, err := report.DecideReturn(s, func(string) bool { return mayWork }, nil, s.Version)
		return run(s, lead, facts, err)
	}

	t.Log("it leaves its holder, in one step of the version")
	facts, err := report.DecideEscalate(held, ann, nil, "why", held.Version)
	require.NoError(t, err)
	require.Equal(t, []report.Fact{&report.Escalated{From: ptr(ann), Words: note}, &report.Assigned{PreviousAssigneeID: ptr(ann)}}, facts)
	waiting := run(held, ann, facts, nil)
	require.Equal(t, &report.Escalation{From: ptr(ann), By: ptr(ann), At: start.Add(time.Hour), Sequence: 3}, waiting.Escalation)
	require.Equal(t, []any{report.New, held.Version + 1}, []any{waiting.Status, waiting.Version})
	facts, err = report.DecideEscalate(waiting, ann, nil, "why", 1)
	require.Empty(t, facts, "it is so already")
	require.NoError(t, err)
	facts, err = report.DecideEscalate(given(created()), ann, ptr(lead), "why", 1)
	require.NoError(t, err)
	require.Equal(t, []report.Fact{&report.Escalated{To: ptr(lead), Words: note}}, facts, "nobody held it")

	t.Log("it stands while somebody holds it, and another takes its place")
	taken := run(waiting, lead, []report.Fact{&report.Assigned{AssigneeID: ptr(lead), Claimed: true}}, nil)
	require.NotNil(t, taken.Escalation)
	require.Equal(t, lead, *escalate(taken, lead, ptr(other)).Escalation.From, "who held it last")
	require.Equal(t, ann, *escalate(waiting, bob, ptr(other)).Escalation.From)

	t.Log("it goes back to who held it, if they may still work on it")
	for _, s := range []report.State{waiting, taken} {
		back := giveBack(s, true)
		require.True(t, back.HeldBy(ann))
		back = giveBack(s, false)
		require.Equal(t, []any{report.New, (*string)(nil), (*report.Escalation)(nil)}, []any{back.Status, back.AssigneeID, back.Escalation})
	}
	facts, err = report.DecideReturn(held, nil, nil, 1)
	require.NoError(t, err)
	require.Empty(t, facts, "it is not escalated")

	t.Log("deciding ends it, and what is done is neither escalated nor returned")
	done := run(waiting, lead, resolved(), nil)
	require.Nil(t, done.Escalation)
	_, err = report.DecideEscalate(done, ann, nil, "why", done.Version)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	_, err = report.DecideReturn(done, nil, nil, done.Version)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	_, err = report.DecideEscalate(held, ann, nil, "why", 7)
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(err))
	_, err = report.DecideReturn(waiting, nil, nil, 7)
	require.Equal(t, domain.CodeConflict, domain.ErrorCode(err))

	t.Log("what waits for an account that is deleted waits for the leads")
	gone := run(escalate(held, ann, ptr(lead)), "", report.DecideRemoveAccount(lead), nil)
	require.Nil(t, gone.Escalation.To)
	require.Equal(t, ann, *gone.Escalation.By)
}

// A claim lapses only if nothing has happened since it was found.
func TestALapsedClaim(t *testing.T) {
	t.Parallel()
	held := given(created(), assigned(ptr(ann), nil))
	facts := report.DecideLapse(held, held.Sequence)
	require.Equal(t, []report.Fact{&report.Assigned{PreviousAssigneeID: ptr(ann), Lapsed: true}}, facts)
	_, after := report.Stamp(held, facts, nil, start, newID)
	require.Equal(t, report.New, after.Status)
	require.Empty(t, report.DecideLapse(after, after.Sequence), "nobody holds it")
	require.Empty(t, report.DecideLapse(held, held.Sequence-1), "its holder was faster")
	done := given(created(), assigned(ptr(ann), nil), resolved())
	require.Empty(t, report.DecideLapse(done, done.Sequence))
}
