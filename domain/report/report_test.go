package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
)

const (
	reporter = "reporter"
	ann      = "ann"
	bob      = "bob"
)

var start = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// given folds facts, each a decision of its own, into a state.
func given(decisions ...[]report.Fact) report.State {
	s := report.State{ID: "r"}
	for i, facts := range decisions {
		actor := ann
		_, s = report.Stamp(s, facts, &actor, start.Add(time.Duration(i)*time.Minute), newID)
	}
	return s
}

func created() []report.Fact {
	return []report.Fact{&report.Created{Target: report.Target{PluginID: "forum", Type: "forum.post", ID: "1"},
		Reason: report.Spam, ReporterID: reporter, Words: report.CreatedWords{Snapshot: []byte(`{"title":"A title"}`)}}}
}

func assigned(to, from *string) []report.Fact {
	return []report.Fact{&report.Assigned{AssigneeID: to, PreviousAssigneeID: from, Claimed: true}}
}

func resolved() []report.Fact {
	return []report.Fact{&report.Resolved{Resolution: report.NoViolation}}
}

func ptr[T any](v T) *T { return &v }

func TestDecisions(t *testing.T) {
	t.Parallel()
	fresh := func() report.State { return given(created()) }
	heldByAnn := func() report.State { return given(created(), assigned(ptr(ann), nil)) }
	done := func() report.State { return given(created(), resolved()) }
	doneByAnn := func() report.State { return given(created(), assigned(ptr(ann), nil), resolved()) }

	type decision = func(report.State, int) ([]report.Fact, error)
	claimBy := func(user string) decision {
		return func(s report.State, v int) ([]report.Fact, error) { return report.DecideClaim(s, user, v) }
	}
	assignTo := func(user string) decision {
		return func(s report.State, v int) ([]report.Fact, error) { return report.DecideAssign(s, "", user, v) }
	}
	unassign := report.DecideUnassign
	resolve := func(s report.State, v int) ([]report.Fact, error) {
		return report.DecideResolve(s, "", report.Resolve{Resolution: report.ActionTaken}, v)
	}
	reopen := func(s report.State, v int) ([]report.Fact, error) { return report.DecideReopen(s, "", "why not", v) }

	const fits, stale = 0, 7
	for name, c := range map[string]struct {
		given  func() report.State
		when   decision
		offset int // added to the version
		events []report.Type
		then   report.Status
		fault  domain.Code
	}{
		"claim a new report":                              {fresh, claimBy(ann), fits, []report.Type{report.AssignedType}, report.InProgress, ""},
		"claim with a stale version":                      {fresh, claimBy(ann), stale, nil, "", domain.CodeConflict},
		"claim what somebody else holds":                  {heldByAnn, claimBy(bob), fits, nil, "", domain.CodeAlreadyClaimed},
		"claim what somebody else holds, stale":           {heldByAnn, claimBy(bob), stale, nil, "", domain.CodeAlreadyClaimed},
		"claim what one holds changes nothing":            {heldByAnn, claimBy(ann), stale, nil, report.InProgress, ""},
		"claim a done report reopens it":                  {done, claimBy(bob), fits, []report.Type{report.ReopenedType, report.AssignedType}, report.InProgress, ""},
		"claim a done report that another had":            {doneByAnn, claimBy(bob), fits, []report.Type{report.ReopenedType, report.AssignedType}, report.InProgress, ""},
		"claim a done report that one had":                {doneByAnn, claimBy(ann), fits, []report.Type{report.ReopenedType, report.AssignedType}, report.InProgress, ""},
		"claim a done report, stale":                      {done, claimBy(bob), stale, nil, "", domain.CodeConflict},
		"assign a new report":                             {fresh, assignTo(bob), fits, []report.Type{report.AssignedType}, report.InProgress, ""},
		"reassign":                                        {heldByAnn, assignTo(bob), fits, []report.Type{report.AssignedType}, report.InProgress, ""},
		"assign to the present assignee changes nothing":  {heldByAnn, assignTo(ann), stale, nil, report.InProgress, ""},
		"assign a done report to its assignee reopens it": {doneByAnn, assignTo(ann), fits, []report.Type{report.ReopenedType, report.AssignedType}, report.InProgress, ""},
		"assign, stale":                                   {fresh, assignTo(bob), stale, nil, "", domain.CodeConflict},
		"unassign":                                        {heldByAnn, unassign, fits, []report.Type{report.AssignedType}, report.New, ""},
		"unassign, stale":                                 {heldByAnn, unassign, stale, nil, "", domain.CodeConflict},
		"unassign what nobody holds changes nothing":      {fresh, unassign, stale, nil, report.New, ""},
		"unassign a done report":                          {doneByAnn, unassign, fits, nil, "", domain.CodeInvalidState},
		"unassign a done report, stale":                   {doneByAnn, unassign, stale, nil, "", domain.CodeConflict},
		"resolve a new report":                            {fresh, resolve, fits, []report.Type{report.ResolvedType}, report.Done, ""},
		"resolve a held report":                           {heldByAnn, resolve, fits, []report.Type{report.ResolvedType}, report.Done, ""},
		"resolve a done report anew":                      {done, resolve, fits, []report.Type{report.ResolvedType}, report.Done, ""},
		"resolve, stale":                                  {fresh, resolve, stale, nil, "", domain.CodeConflict},
		"reopen an unassigned report":                     {done, reopen, fits, []report.Type{report.ReopenedType}, report.New, ""},
		"reopen an assigned report":                       {doneByAnn, reopen, fits, []report.Type{report.ReopenedType}, report.InProgress, ""},
		"reopen what is not done":                         {fresh, reopen, fits, nil, "", domain.CodeInvalidState},
		"reopen, stale":                                   {done, reopen, stale, nil, "", domain.CodeConflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := c.given()
			facts, err := c.when(before, before.Version+c.offset)
			if c.fault != "" {
				require.Equal(t, c.fault, domain.ErrorCode(err))
				return
			}
			require.NoError(t, err)
			events, after := report.Stamp(before, facts, ptr(bob), start.Add(time.Hour), newID)
			var types []report.Type
			for _, e := range events {
				types = append(types, e.Type)
			}
			require.Equal(t, c.events, types)
			require.Equal(t, c.then, after.Status)
			if len(events) == 0 {
				require.Equal(t, before, after)
				return
			}
			require.Equal(t, before.Version+1, after.Version, "one decision is one step of the version")
			require.Equal(t, before.Sequence+len(events), after.Sequence)
		})
	}
}

func TestReopeningClearsTheDecision(t *testing.T) {
	t.Parallel()
	s := given(created(), assigned(ptr(ann), nil),
		[]report.Fact{&report.Resolved{Resolution: report.ActionTaken, Explained: true, Words: report.ResolvedWords{Explanation: ptr("gone")}}},
		[]report.Fact{&report.Reopened{Reasoned: true, Words: report.ReopenedWords{Reason: ptr("a mistake")}}})
	require.Nil(t, s.Resolution)
	require.Nil(t, s.Explanation)
	require.Nil(t, s.ResolverID)
	require.Nil(t, s.ResolvedAt)
	require.Equal(t, ann, *s.AssigneeID)
}

func TestNotesLeaveTheVersionAlone(t *testing.T) {
	t.Parallel()
	s := given(created())
	body, issues := report.ParseNote([]byte(`"a note"`))
	require.Empty(t, issues)
	events, after := report.Stamp(s, report.DecideAddNote("n", body), ptr(ann), start, newID)
	require.Equal(t, s.Version, after.Version)
	require.Equal(t, 1, after.NoteCount)
	require.Equal(t, s.UpdatedAt, events[0].OccurredAt, "time never runs backwards within a report")

	note := report.EvolveNote(report.Note{}, events[0])
	t.Run("an edit with a stale version", func(t *testing.T) {
		other := report.NoteBody{Kind: report.TextNote, JSON: []byte(`"something else"`)}
		_, err := report.DecideEditNote(after, note, other, ptr(9))
		require.Equal(t, domain.CodeConflict, domain.ErrorCode(err))
	})
	t.Run("an edit to the same text changes nothing, whatever version is sent", func(t *testing.T) {
		facts, err := report.DecideEditNote(after, note, body, ptr(9))
		require.NoError(t, err)
		require.Empty(t, facts)
	})
	t.Run("a deleted note", func(t *testing.T) {
		facts, err := report.DecideDeleteNote(after, note, nil)
		require.NoError(t, err)
		events, gone := report.Stamp(after, facts, ptr(ann), start, newID)
		require.Zero(t, gone.NoteCount)
		deleted := report.EvolveNote(note, events[0])
		require.Nil(t, deleted.Body)
		again, err := report.DecideDeleteNote(gone, deleted, ptr(9))
		require.NoError(t, err)
		require.Empty(t, again)
		_, err = report.DecideEditNote(gone, deleted, body, nil)
		require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	})
}

func TestARemovedAccountLeavesTheReport(t *testing.T) {
	t.Parallel()
	s := given(created(), assigned(ptr(ann), nil), []report.Fact{&report.AccountRemoved{UserID: ann}})
	require.Equal(t, report.New, s.Status, "what it held goes back to the queue")
	require.Nil(t, s.AssigneeID)
	require.Equal(t, reporter, *s.ReporterID)
	s = given(created(), []report.Fact{&report.AccountRemoved{UserID: reporter}})
	require.Nil(t, s.ReporterID)
	require.Equal(t, 1, s.Version)
}

func TestMoves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state  report.State
		caller string
		want   []report.Move
	}{
		"new":                {given(created()), ann, []report.Move{report.MoveClaim, report.MoveAssign, report.MoveResolve, report.MoveEscalate}},
		"held by the caller": {given(created(), assigned(ptr(ann), nil)), ann, []report.Move{report.MoveAssign, report.MoveUnassign, report.MoveResolve, report.MoveEscalate}},
		"held by somebody":   {given(created(), assigned(ptr(ann), nil)), bob, []report.Move{report.MoveAssign, report.MoveUnassign, report.MoveResolve, report.MoveEscalate}},
		"escalated": {given(created(), []report.Fact{&report.Escalated{}}), bob,
			[]report.Move{report.MoveClaim, report.MoveAssign, report.MoveResolve, report.MoveEscalate, report.MoveReturn}},
		"done": {given(created(), resolved()), ann, []report.Move{report.MoveClaim, report.MoveAssign, report.MoveResolve, report.MoveReopen}},
		"done, with its holder": {given(created(), assigned(ptr(ann), nil), resolved()), ann,
			[]report.Move{report.MoveClaim, report.MoveAssign, report.MoveResolve, report.MoveReopen}},
	} {
		require.Equal(t, c.want, append(report.Moves(c.state, c.caller, false), report.Handovers(c.state, c.caller)...), name)
	}
	refiled := report.Moves(given(created(), assigned(ptr(ann), nil), resolved()), ann, true)
	require.Equal(t, []report.Move{report.MoveResolve}, refiled, "what would open a second report")
}

func TestInput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 2000)
	for name, c := range map[string]struct {
		issues []domain.Issue
		code   string // of the one issue; "" for none
	}{
		"details of 2000 characters":            {second(report.ParseDescription(ptr("  "+long+"\n"), report.Spam)), ""},
		"details of 2001 characters":            {second(report.ParseDescription(ptr(long+"é"), report.Spam)), "too_long"},
		"other without details":                 {second(report.ParseDescription(nil, report.Other)), "required"},
		"other with blank details":              {second(report.ParseDescription(ptr("   "), report.Other)), "required"},
		"other with nine characters":            {second(report.ParseDescription(ptr(" 123456789 "), report.Other)), "too_short"},
		"other with ten characters":             {second(report.ParseDescription(ptr("1234567890"), report.Other)), ""},
		"spam without details":                  {second(report.ParseDescription(nil, report.Spam)), ""},
		"details with U+0000":                   {second(report.ParseDescription(ptr("a\x00b"), report.Spam)), "invalid_text"},
		"details that are not UTF-8":            {second(report.ParseDescription(ptr("a\xff"), report.Spam)), "invalid_text"},
		"a note of two characters":              {second(report.ParseNote([]byte(`" ab "`))), "too_short"},
		"a note of three characters":            {second(report.ParseNote([]byte(`"abc"`))), ""},
		"a note of 2001 characters":             {second(report.ParseNote([]byte(`"` + long + `é"`))), "too_long"},
		"a reopen reason of two characters":     {second(report.ParseReopenReason("no")), "too_short"},
		"an explanation of 2000 characters":     {second(report.ParseExplanation(&long)), ""},
		"an explanation of 2001 characters":     {second(report.ParseExplanation(ptr(long + "é"))), "too_long"},
		"an unknown reason":                     {second(report.ParseReason("boring")), "unknown_value"},
		"an unknown resolution":                 {second(report.ParseResolution("")), "unknown_value"},
		"a rich-text note with an unknown node": {second(report.ParseNote([]byte(`{"type":"doc","content":[{"type":"iframe"}]}`))), "any"},
		"an empty rich-text note":               {second(report.ParseNote([]byte(`{"type":"doc","content":[{"type":"paragraph"}]}`))), "any"},
		"a note that is a number":               {second(report.ParseNote([]byte(`7`))), "any"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.code == "" {
				require.Empty(t, c.issues)
				return
			}
			require.Len(t, c.issues, 1)
			if c.code != "any" {
				require.Equal(t, c.code, c.issues[0].Code)
			}
		})
	}
}

func second[A, B any](_ A, b B) B { return b }

func TestFactsSurviveTheLog(t *testing.T) {
	t.Parallel()
	html := created()[0].(*report.Created)
	html.Words = report.CreatedWords{Description: ptr("<&>"), ReporterName: "A", Snapshot: []byte("{\"title\":\"<&>\u2028\"}")}
	for _, f := range []report.Fact{
		created()[0], html, assigned(ptr(ann), nil)[0],
		&report.NoteAdded{NoteID: "n", Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"secret"`)}},
		&report.NoteUpdated{NoteID: "n", Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"<other>"`)}},
		&report.NoteDeleted{NoteID: "n"},
		&report.NotePinned{NoteID: "n", Until: ptr(start)}, &report.NotePinned{NoteID: "n"},
		&report.Signalled{Source: "shop", Signals: []report.SignalAt{{Signal: signal.Signal{Name: "spam", Score: 0.1}, At: start}}},
		&report.RuleMatched{RuleMatch: report.RuleMatch{Rule: "links", Version: 2, Title: "<Links>", Then: report.RuleThen{Points: -5, Due: "1h", Tags: []string{"a"}, Hide: true}, Shadow: true, Held: []string{"muted"}}},
		&report.DecisionHeld{HeldID: "h", Asked: report.Asked{Reports: []string{"r", "s"}, Action: "hide", Resolution: ptr(report.ActionTaken), Reasoned: true,
			Measures: []report.AskedMeasure{{Author: author, Kind: measure.Warn}}}, ExpiresAt: start, Words: report.ResolvedWords{Reasons: []byte(`"secret"`)}},
		&report.HeldReleased{HeldID: "h", Approved: true, Reasoned: true, Words: report.HeldReleasedWords{Reason: ptr("secret")}}, &report.HeldLapsed{HeldID: "h"},
		&report.SecondDecided{SecondID: "s", Decision: "d", Resolution: report.ActionTaken, Policy: &policy.Ref{Key: "spam", Version: 1}, Agreed: true, Golden: true},
		&report.SecondSettled{SecondID: "s", Decision: "d", Stands: true, Words: report.SecondSettledWords{Reason: "secret"}},
		&report.ActionDone{Action: "hide", Rule: "links", PluginID: "forum", TargetType: "forum.post", TargetID: "1"},
		&report.Resolved{Resolution: report.Duplicate, Explained: true, Words: report.ResolvedWords{Explanation: ptr("same")}},
		&report.Reopened{Reasoned: true, Words: report.ReopenedWords{Reason: ptr("sorry")}},
		&report.AccountRemoved{UserID: ann}, &report.EvidenceErased{Sequences: []int{1, 2}, Authors: []string{ann}},
		&report.ActionFailed{Action: "hide", Code: report.ActionUnreachable, Requested: 2, Words: report.ActionFailedWords{Reason: "secret"}},
		&report.MeasureEnded{MeasureID: "m", Author: author, By: measure.EndedByModerator, Reasoned: true, Words: report.MeasureEndedWords{Reason: ptr("secret")}},
		&report.MeasurePending{MeasureOrder: report.MeasureOrder{MeasureID: "m", Author: author, Kind: measure.Warn, Ends: true}},
		&report.MeasureConfirmed{MeasureOrder: report.MeasureOrder{MeasureID: "m", Author: author, Kind: measure.Warn}, Requested: 2, Changed: true},
		&report.MeasureFailed{MeasureOrder: report.MeasureOrder{MeasureID: "m", Author: author}, Code: report.ActionRefused, Requested: 2, Words: report.ActionFailedWords{Reason: "secret"}},
	} {
		payload, evidence, err := report.Encode(f)
		require.NoError(t, err)
		back, err := report.Decode(f.EventType(), payload)
		require.NoError(t, err)
		if evidence != nil {
			require.NoError(t, report.Restore(back, evidence))
		}
		require.Equal(t, f, back)
		require.NotContains(t, string(payload), "secret", "words are evidence, not payload")
	}
	_, evidence, err := report.Encode(&report.MeasureEnded{MeasureID: "m", By: measure.EndedByExpiry})
	require.NoError(t, err)
	require.Nil(t, evidence, "nobody wrote anything")
	_, err = report.Decode("made_up", []byte(`{}`))
	require.Error(t, err)
}
