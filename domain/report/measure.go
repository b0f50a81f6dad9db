package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
)

// MaxMeasures is how many measures a report may impose in total, standing and ended ones.
const MaxMeasures = 200

// Measure is the state of a measure that the report's decision imposed on an author of the content.
type Measure struct {
	ID        string          `json:"id"` // that of its event
	Author    measure.Author  `json:"author"`
	Kind      measure.Kind    `json:"kind"`
	Until     *time.Time      `json:"until,omitempty"`  // nil means without an end
	Policy    *policy.Ref     `json:"policy,omitempty"` // that the decision cites
	Because   measure.Because `json:"because"`
	Threshold int             `json:"threshold,omitempty"` // the strikes for which the ladder proposed it
	ImposedAt time.Time       `json:"imposedAt"`
	ImposedBy *string         `json:"imposedBy,omitempty"` // nil once the account is deleted

	EndedAt *time.Time  `json:"endedAt,omitempty"` // nil while it stands
	EndedBy measure.End `json:"endedBy,omitempty"`

	Delivery Delivery `json:"delivery,omitempty"` // to the platform that holds the content
}

// MeasureImposed imposes a measure on an author of the content. The id of its event is the measure's id.
type MeasureImposed struct {
	noWords
	ID        string          `json:"-"` // it becomes the event's id; "" for any
	Author    measure.Author  `json:"author"`
	Kind      measure.Kind    `json:"kind"`
	Until     *time.Time      `json:"until"`
	Policy    *policy.Ref     `json:"policy"`
	Because   measure.Because `json:"because"`
	Threshold int             `json:"threshold,omitempty"`
}

// MeasureEnded ends a measure.
type MeasureEnded struct {
	MeasureID string            `json:"measureId"`
	Author    measure.Author    `json:"author"`
	Kind      measure.Kind      `json:"kind"`
	By        measure.End       `json:"by"`
	Reasoned  bool              `json:"reasoned,omitempty"`
	Words     MeasureEndedWords `json:"-"`
}

// MeasureEndedWords is the evidence of MeasureEnded.
type MeasureEndedWords struct {
	Reason *string `json:"reason"` // of the moderator who ended it
}

// EventType implements Fact.
func (*MeasureImposed) EventType() Type { return MeasureImposedType }
func (*MeasureEnded) EventType() Type   { return MeasureEndedType }

func (f *MeasureEnded) words() any { return &f.Words }

// MeasureOf returns the id of the measure that an event is about, or "".
func MeasureOf(e Event) string {
	switch f := e.Fact.(type) {
	case *MeasureImposed:
		return e.ID
	case *MeasureEnded:
		return f.MeasureID
	case *MeasurePending:
		return f.MeasureID
	case *MeasureConfirmed:
		return f.MeasureID
	case *MeasureFailed:
		return f.MeasureID
	}
	return ""
}

// Ask returns the request to the platform to carry out the measure that a fact imposes, or to end the one that it ends.
func Ask(f Fact) *MeasurePending {
	switch f := f.(type) {
	case *MeasureImposed:
		return &MeasurePending{MeasureOrder: MeasureOrder{f.ID, f.Author, f.Kind, false}}
	case *MeasureEnded:
		return &MeasurePending{MeasureOrder: MeasureOrder{f.MeasureID, f.Author, f.Kind, true}}
	}
	return nil
}

// Asked reports whether there was a request to the platform about the measure that a fact ends.
func (s *State) Asked(f Fact) bool {
	ended, ok := f.(*MeasureEnded)
	return ok && slices.ContainsFunc(s.Measures, func(m Measure) bool { return m.ID == ended.MeasureID && m.Delivery != "" })
}

// DecideMeasureEnd ends a measure for a reason. If the measure has already ended, it only repeats the request to the
// platform, if that has failed.
func DecideMeasureEnd(s State, measureID, reason string, expectedVersion int) ([]Fact, error) {
	i := slices.IndexFunc(s.Measures, func(m Measure) bool { return m.ID == measureID })
	if i < 0 {
		return nil, domain.NotFound()
	}
	ended := end(s.Measures[i], measure.EndedByModerator)
	if s.Measures[i].EndedAt != nil && s.Measures[i].Delivery != DeliveryFailed {
		return nil, nil
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if s.Measures[i].EndedAt != nil {
		return []Fact{Ask(ended)}, nil
	}
	ended.Reasoned, ended.Words.Reason = true, &reason
	return []Fact{ended}, nil
}

// DecideMeasureEnds ends the standing measures that are due, those with ids in withoutStrikes, and those whose decision
// an earlier release replaced without ending them.
func DecideMeasureEnds(s State, withoutStrikes []string, now time.Time) (facts []Fact) {
	stands := s.Resolution != nil && *s.Resolution == ActionTaken
	for _, m := range s.Measures {
		switch {
		case m.EndedAt != nil:
		case m.Until != nil && !m.Until.After(now):
			facts = append(facts, end(m, measure.EndedByExpiry))
		case !stands || slices.Contains(withoutStrikes, m.ID):
			facts = append(facts, end(m, measure.EndedByOverturn))
		}
	}
	return facts
}

func end(m Measure, by measure.End) *MeasureEnded {
	return &MeasureEnded{MeasureID: m.ID, Author: m.Author, Kind: m.Kind, By: by}
}

// endMeasures ends every standing measure, since their decision is replaced.
func endMeasures(s State) (facts []Fact) {
	for _, m := range s.Measures {
		if m.EndedAt == nil {
			facts = append(facts, end(m, measure.EndedByOverturn))
		}
	}
	return facts
}

// impose returns the facts that impose the measures of a decision, or invalid_state beyond MaxMeasures.
func impose(s State, c Resolve) (facts []Fact, err error) {
	if len(s.Measures)+len(c.Measures) > MaxMeasures {
		return nil, domain.Errorf(domain.CodeInvalidState, "This report has %d measures and can hold at most %d.", len(s.Measures), MaxMeasures)
	}
	for _, m := range c.Measures {
		m.Policy = c.Policy
		facts = append(facts, &m)
	}
	return facts, nil
}

// EvolveMeasure returns a measure after an event about it, or about one of its accounts.
func EvolveMeasure(m Measure, e Event) Measure {
	switch f := e.Fact.(type) {
	case *MeasureImposed:
		m = Measure{ID: e.ID, Author: f.Author, Kind: f.Kind, Until: f.Until, Policy: f.Policy, Because: f.Because, Threshold: f.Threshold,
			ImposedAt: e.OccurredAt, ImposedBy: e.ActorID}
	case *MeasureEnded:
		m.EndedAt, m.EndedBy = &e.OccurredAt, f.By
	case *MeasurePending:
		m.Delivery = DeliveryPending
	case *MeasureConfirmed:
		m.Delivery = DeliveryDone
	case *MeasureFailed:
		m.Delivery = DeliveryFailed
	case *AccountRemoved:
		m.ImposedBy = unlessRemoved(m.ImposedBy, f)
	}
	return m
}

// measured returns the measures of a report after an event.
func measured(all []Measure, e Event) []Measure {
	if _, imposed := e.Fact.(*MeasureImposed); imposed {
		return append(slices.Clip(all), EvolveMeasure(Measure{}, e))
	}
	all = slices.Clone(all)
	for i := range all {
		if id := MeasureOf(e); id == "" || id == all[i].ID {
			all[i] = EvolveMeasure(all[i], e)
		}
	}
	return all
}

// EndedDecision is a replaced decision to take action that cited a policy.
type EndedDecision struct {
	Sequence   int // of its event
	Policy     policy.Ref
	DecisionID string // shared by decisions on several reports that were made together
	DecidedAt  time.Time
	EndedAt    time.Time
}

// replaced returns the decision that an event replaced, given the state after it, or nil.
func (s *State) replaced(after State) *EndedDecision {
	d := s.Decision
	if d == nil || d.Policy == nil || *s.Resolution != ActionTaken || after.Decision != nil && after.Decision.Sequence == d.Sequence {
		return nil
	}
	return &EndedDecision{Sequence: d.Sequence, Policy: *d.Policy, DecisionID: cmp.Or(d.ID, fmt.Sprintf("%s/%d", s.ID, d.Sequence)),
		DecidedAt: d.DecidedAt, EndedAt: after.UpdatedAt}
}
