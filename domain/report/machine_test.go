package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/report/reporttest"
)

// Whatever commands are given, in any order: the state is the fold of what the log holds, the
// rules about appeals hold, appeals are refused only by a rule, no payload holds what people
// wrote, and nothing is left of words that are erased and of accounts that are deleted.
func TestAReportUnderAnyCommands(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{now: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), state: report.State{ID: "report"}}
		for range 3 {
			m.people = append(m.people, m.name("account"))
		}
		m.add(m.people[0], &report.Created{ReporterID: m.people[0], Reason: report.Spam, Words: report.CreatedWords{
			Description: ptr(words), ReporterName: words, Title: words, Excerpt: words, Snapshot: json.RawMessage(`{"title":"` + words + `"}`)}})
		for range 100 {
			m.command(t)
			m.check(t)
		}
	})
}

// words is what people write.
const words = "what somebody wrote"

// period is how long decisions can be appealed.
const period = 48 * time.Hour

// machine is one report, with its events as the log returns them.
type machine struct {
	now     time.Time
	events  []report.Event
	state   report.State
	appeals []string // ids
	people  []string // accounts that are there
	removed []string // accounts that were
	gone    int      // the sequence of the first event after the content was deleted
	names   int
}

func pick[T any](t *rapid.T, label string, values ...T) T {
	return reporttest.Pick(func() bool { return rapid.Bool().Draw(t, label) }, values...)
}

func (m *machine) name(of string) string { m.names++; return fmt.Sprint(of, "-", m.names, "-") }

// add appends the facts of one decision, as the log does, and keeps what can be read from it.
func (m *machine) add(actor string, facts ...report.Fact) {
	added, after := report.Stamp(m.state, facts, &actor, m.now, func() string { return m.name("event") })
	for _, e := range added {
		m.events = append(m.events, read(e, false))
	}
	m.state = after
}

// read returns an event as it is read from the log, with or without its words.
func read(e report.Event, erased bool) report.Event {
	payload, evidence, err := report.Encode(e.Fact)
	if err == nil && erased {
		evidence, e.Erased = nil, true
	}
	if err == nil {
		e.Fact, err = report.Decode(e.Type, payload)
	}
	if err == nil && evidence != nil {
		err = report.Restore(e.Fact, evidence)
	}
	if err != nil {
		panic(err)
	}
	return e
}

func (m *machine) command(t *rapid.T) {
	m.now = m.now.Add(time.Minute)
	actor := pick(t, "actor", m.people...)
	version := m.state.Version - pick(t, "behind", 0, 0, 0, 0, 1)
	var facts []report.Fact
	var err error
	switch pick(t, "command", "claim", "assign", "unassign", "hide", "hide", "hide", "unhide", "resolve", "resolve", "resolve", "reopen", "note", "escalate", "return",
		"appeal", "appeal", "appeal", "appeal", "appeal", "decide", "decide", "decide", "decide", "end measure", "expire", "confirm", "refuse", "remove", "erase", "wait", "delete content",
		"hold", "hold", "approve", "approve", "reject", "lapse") {
	case "claim":
		facts, err = report.DecideClaim(m.state, actor, version)
	case "assign":
		facts, err = report.DecideAssign(m.state, actor, pick(t, "assignee", m.people...), version)
	case "unassign":
		facts, err = report.DecideUnassign(m.state, version)
	case "hide":
		facts, err = m.act("hide", "", version)
	case "unhide":
		facts, err = m.act("unhide", "hide", version)
	case "resolve":
		facts, err = report.DecideResolve(m.state, actor, m.resolve(t), version)
	case "reopen":
		facts, err = report.DecideReopen(m.state, actor, words, version)
	case "note":
		facts = report.DecideAddNote(m.name("note"), report.NoteBody{Kind: report.TextNote, JSON: json.RawMessage(`"` + words + `"`)})
	case "escalate":
		var to *string
		if pick(t, "to a person", true, false) {
			to = ptr(pick(t, "person", m.people...))
		}
		facts, err = report.DecideEscalate(m.state, actor, to, words, version)
	case "return":
		facts, err = report.DecideReturn(m.state, func(string) bool { return pick(t, "may work", true, false) }, pick(t, "note", nil, ptr(words)), version)
	case "appeal":
		facts = m.appeal(t)
	case "decide":
		facts = m.decide(t, actor, version)
	case "end measure":
		if n := len(m.state.Measures); n > 0 {
			facts, err = report.DecideMeasureEnd(m.state, m.state.Measures[n-1].ID, words, version)
		}
	case "expire":
		facts = report.DecideMeasureEnds(m.state, nil, m.now)
	case "confirm":
		facts = m.settle(t, report.ActionOutcome{Changed: true})
	case "refuse":
		facts = m.settle(t, report.ActionOutcome{Failed: report.ActionRefused, Reason: words})
	case "remove":
		facts = report.DecideRemoveAccount(actor)
		m.people[slices.Index(m.people, actor)] = m.name("account") // somebody new
		m.removed = append(m.removed, actor)
	case "hold":
		c := m.resolve(t)
		facts, err = report.DecideHold(m.state, actor, report.Hold{Action: pick(t, "held action", "", "hide"), Resolve: pick(t, "held", nil, &c, &c)}, version, m.now)
	case "approve":
		facts, actor, err = m.approve(actor, version)
	case "reject":
		if h := m.state.HeldDecision; h != nil {
			facts, err = report.DecideRelease(m.state, h.ID, actor, false, ptr(words), version, m.now)
		}
	case "lapse":
		facts = report.DecideHeldLapse(m.state, m.now)
	case "erase":
		facts = m.erase()
	case "wait":
		m.now = m.now.Add(period / 2)
	case "delete content":
		if m.gone == 0 && pick(t, "deleted", true, false, false, false, false, false, false, false) {
			m.gone = len(m.events) + 1
		}
	}
	if h := m.state.HeldDecision; domain.ErrorCode(err) == domain.CodeOwnDecision && (h == nil || h.By != actor) {
		refused := report.Event{Sequence: len(m.events) + 1, Version: m.state.Version, ActorID: &actor, OccurredAt: m.now,
			Fact: &report.AppealDecided{AppealID: m.appeals[len(m.appeals)-1], Outcome: report.AppealOverturned, Superseded: true}}
		require.Error(t, m.rules(refused), "a replacement is refused that breaks no rule")
	}
	if err == nil {
		m.add(actor, m.asked(facts)...)
	}
}

// approve returns the facts of an approval of what is held, as moderation.Service makes them, and who makes
// the decision, or whom it is refused to.
func (m *machine) approve(approver string, version int) (facts []report.Fact, actor string, err error) {
	h := m.state.HeldDecision
	if h == nil {
		return nil, approver, nil
	}
	released, err := report.DecideRelease(m.state, h.ID, approver, true, nil, version, m.now)
	if err != nil {
		return nil, approver, err
	}
	if h.Resolution == nil {
		return released, h.By, nil
	}
	waiting := m.state
	waiting.HeldDecision = nil
	decided, err := report.DecideResolve(waiting, h.By, report.Resolve{Resolution: *h.Resolution, Policy: h.Policy, ReleasedBy: approver}, version)
	return append(released, decided...), h.By, err
}

// asked returns facts with the requests for what they impose and end, as moderation.Service makes
// them for content that lives elsewhere.
func (m *machine) asked(facts []report.Fact) []report.Fact {
	for _, f := range facts {
		if imposed, ok := f.(*report.MeasureImposed); ok {
			imposed.ID = m.name("measure")
		}
		if asked := report.Ask(f); asked != nil {
			facts = append(facts, asked)
		}
	}
	return facts
}

// settle returns the outcome of a request, also of one that has another in its place by now.
func (m *machine) settle(t *rapid.T, o report.ActionOutcome) []report.Fact {
	var requests []report.Event
	for _, e := range m.events {
		if e.Type == report.MeasurePendingType {
			requests = append(requests, e)
		}
	}
	if len(requests) == 0 {
		return nil
	}
	e := pick(t, "request", append(slices.Clone(requests), requests[len(requests)-1])...)
	return report.DecideOutcome(m.state, e.Sequence, e.Fact.(report.Request), o)
}

// act returns the facts of an action on content that is there.
func (m *machine) act(action, undoes string, version int) ([]report.Fact, error) {
	if m.gone > 0 {
		return nil, nil
	}
	return []report.Fact{report.ActionOn(m.state, action, undoes)}, m.state.CheckAction(false, version)
}

func (m *machine) resolve(t *rapid.T) report.Resolve {
	c := report.Resolve{Resolution: pick(t, "resolution", report.ActionTaken, report.ActionTaken, report.NoViolation, report.NoViolation, report.Duplicate), Explanation: ptr(words)}
	if rapid.Bool().Draw(t, "reasoned") {
		c.Reasons = json.RawMessage(`"` + words + `"`)
	}
	if pick(t, "appealable", true, true, true, false) {
		c.AppealFor = period
	}
	for range pick(t, "measures", 0, 1, 2) {
		if c.Resolution == report.ActionTaken {
			c.Measures = append(c.Measures, report.MeasureImposed{Author: measure.Author{PluginID: "forum", ID: "author"}, Kind: measure.Suspend,
				Until: pick(t, "until", nil, ptr(m.now.Add(period))), Because: measure.ByModerator})
		}
	}
	return c
}

// appeal returns the facts of an appeal, if the decision takes one.
func (m *machine) appeal(t *rapid.T) []report.Fact {
	role := pick(t, "role", report.Author, report.Reporter)
	id := m.name("appeal")
	facts, err := report.DecideAppeal(m.state, role, id, words, m.now)
	if err == nil {
		m.appeals = append(m.appeals, id)
		return facts
	}
	refused := report.Event{Sequence: len(m.events) + 1, Type: report.AppealedType, OccurredAt: m.now, Version: m.state.Version,
		Fact: &report.Appealed{AppealID: id, By: role}}
	require.Error(t, m.rules(refused), "an appeal is refused that breaks no rule: %v", err)
	return nil
}

// decide returns the facts of a decision on one of all the appeals that there were, as
// moderation.Service makes them.
func (m *machine) decide(t *rapid.T, actor string, version int) []report.Fact {
	if len(m.appeals) == 0 {
		return nil
	}
	id := pick(t, "appeal", append(slices.Clone(m.appeals), slices.Repeat(m.appeals[len(m.appeals)-1:], len(m.appeals))...)...) // mostly the last
	overturn := rapid.Bool().Draw(t, "overturn")
	a, err := report.CheckAppealDecision(m.state, id, actor, version)
	if err != nil {
		refused := report.Event{Sequence: len(m.events) + 1, Type: report.AppealDecidedType, OccurredAt: m.now, Version: m.state.Version, ActorID: &actor,
			Fact: &report.AppealDecided{AppealID: id, Outcome: report.AppealUpheld}}
		require.True(t, m.rules(refused) != nil || domain.ErrorCode(err) == domain.CodeConflict && version != m.state.Version,
			"a decision on an appeal is refused that breaks no rule: %v", err)
		return nil
	}
	if !overturn {
		return report.DecideUphold(a, words)
	}
	var undone []report.Fact
	for range m.state.Standing {
		if m.gone == 0 {
			undone = append(undone, report.ActionOn(m.state, "unhide", "hide"))
		}
	}
	return report.DecideOverturn(m.state, a, words, undone, period)
}

// erase erases every word and folds the state anew, as the log does.
func (m *machine) erase() []report.Fact {
	erased := &report.EvidenceErased{}
	for i, e := range m.events {
		if report.Choice(report.EveryWord).Erases(report.Contents{State: m.state}, e) {
			m.events[i], erased.Sequences = read(e, true), append(erased.Sequences, e.Sequence)
		}
	}
	m.state = report.Fold(m.events)
	return []report.Fact{erased}
}

// rules returns the first breach of the rules about appeals, with these events to come.
func (m *machine) rules(next ...report.Event) error {
	return reporttest.CheckAppeals(append(slices.Clip(m.events), next...), m.gone)
}

func (m *machine) check(t *rapid.T) {
	require.NoError(t, m.rules())
	var folded report.Contents
	for i, e := range m.events {
		require.Equal(t, i+1, e.Sequence)
		folded.Add(e)
	}
	require.Equal(t, folded.State, m.state, "the state is the fold of the events")
	require.True(t, m.state.Decision == nil || m.state.Status == report.Done, "a report that is not done has no decision")

	require.True(t, m.state.Escalation == nil || m.state.Status != report.Done, "what is done waits for nobody")

	ended := map[string]int{}
	for _, e := range m.events {
		if f, ok := e.Fact.(*report.MeasureEnded); ok {
			ended[f.MeasureID]++
		}
	}
	latest, settled := map[string]int{}, map[int]report.Type{} // requests by measure, outcomes by request
	for _, e := range m.events {
		switch f := e.Fact.(type) {
		case *report.MeasurePending:
			latest[f.MeasureID] = e.Sequence
		case *report.MeasureConfirmed:
			require.Empty(t, settled[f.Requested], "a request has one outcome")
			settled[f.Requested] = e.Type
		case *report.MeasureFailed:
			require.Empty(t, settled[f.Requested], "a request has one outcome")
			settled[f.Requested] = e.Type
		}
	}
	for _, measured := range m.state.Measures {
		request := latest[measured.ID]
		require.Equal(t, map[report.Type]report.Delivery{"": report.DeliveryPending, report.MeasureFailedType: report.DeliveryFailed, report.MeasureConfirmedType: report.DeliveryDone}[settled[request]], measured.Delivery,
			"the last request counts")
		require.Equal(t, settled[request] == "", m.state.AwaitsAction(request))
		require.Equal(t, measured.EndedAt != nil, m.events[request-1].Fact.(*report.MeasurePending).Ends, "the platform is told of each end")
		stands := measured.EndedAt == nil
		require.Equal(t, !stands, ended[measured.ID] == 1, "a measure ends once")
		require.True(t, !stands || m.state.Resolution != nil && *m.state.Resolution == report.ActionTaken && m.state.ResolvedAt.Equal(measured.ImposedAt),
			"no measure stands whose decision does not")
	}

	last := m.events[len(m.events)-1]
	payload, _, err := report.Encode(last.Fact)
	require.NoError(t, err)
	_, public := report.PublishedAs(last)
	for _, told := range []string{string(payload), text(t, public)} {
		require.NotContains(t, told, words)
	}

	open := map[report.Role]int{}
	for _, a := range folded.Appeals {
		if a.Status != report.AppealOpen {
			continue
		}
		open[a.By]++
		require.NotNil(t, m.state.Decision)
		require.Contains(t, m.state.Decision.Appeals, a, "the decision lists its open appeals")
	}
	require.LessOrEqual(t, max(open[report.Author], open[report.Reporter]), 1, "at most one appeal of a role is open")
	if f, ok := last.Fact.(*report.Resolved); ok && len(m.events) > 1 && f.Resolution == report.NoViolation {
		if decided, ok := overturned(m.events, last.Version); ok && decided.By == report.Author {
			require.True(t, m.gone > 0 || len(m.state.Standing) == 0, "no action stands after the decision was overturned, unless the content is gone")
		}
	}
	left := text(t, m.state) + text(t, folded.Appeals) + text(t, folded.Notes)
	for _, id := range m.removed {
		require.NotContains(t, left, id, "an account that is deleted")
	}
	if last.Type == report.EvidenceErasedType {
		require.NotContains(t, left, words, "words that are erased")
	}
}

// overturned returns the appeal that the command of a version overturned.
func overturned(events []report.Event, version int) (*report.AppealDecided, bool) {
	for _, e := range slices.Backward(events) {
		if f, ok := e.Fact.(*report.AppealDecided); ok && e.Version == version && f.Outcome == report.AppealOverturned && !f.Superseded {
			return f, true
		}
	}
	return nil, false
}

func text(t *rapid.T, v any) string {
	encoded, err := json.Marshal(v)
	require.NoError(t, err)
	return string(encoded)
}
