package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
)

// The types of events about held decisions, which need a second person's approval.
const (
	DecisionHeldType Type = "decision_held"
	HeldReleasedType Type = "held_released"
	HeldLapsedType   Type = "held_lapsed"
)

// HeldFor is how long a decision is held.
const HeldFor = 24 * time.Hour

// DecisionHeld records a decision that a second person must release. None of it is carried out yet.
type DecisionHeld struct {
	ID string `json:"-"` // it becomes the event's id; "" for any
	// HeldID is the id of the held decision, which is the id of its event in the first report; "" in
	// that event itself.
	HeldID string `json:"heldId,omitempty"`
	Asked
	ExpiresAt time.Time     `json:"expiresAt"`
	Words     ResolvedWords `json:"-"`
}

// Asked is a held decision without its texts: an action, a resolution, or both.
type Asked struct {
	Reports    []string       `json:"reports,omitempty"` // that are decided together, first the one with the action; none if there is only one
	Action     string         `json:"action,omitempty"`
	Resolution *Resolution    `json:"resolution,omitempty"`
	Policy     *policy.Ref    `json:"policy,omitempty"`
	Explained  bool           `json:"explained,omitempty"`
	Shared     bool           `json:"shared,omitempty"`
	Reasoned   bool           `json:"reasoned,omitempty"`
	Measures   []AskedMeasure `json:"measures,omitempty"`
}

// AskedMeasure is a measure that is not imposed yet.
type AskedMeasure struct {
	Author measure.Author `json:"author"`
	Kind   measure.Kind   `json:"kind"`
	Until  *time.Time     `json:"until"`
}

// HeldReleased records that a second person approved a held decision, whose own facts follow, or rejected it.
type HeldReleased struct {
	By       *string           `json:"-"` // it becomes the event's actor
	HeldID   string            `json:"heldId"`
	Approved bool              `json:"approved"`
	Reasoned bool              `json:"reasoned,omitempty"`
	Words    HeldReleasedWords `json:"-"`
}

// HeldReleasedWords is the evidence of HeldReleased.
type HeldReleasedWords struct {
	Reason *string `json:"reason"`
}

// HeldLapsed records that nobody released a held decision in time, or that the account of its maker was
// deleted.
type HeldLapsed struct {
	noWords
	HeldID string `json:"heldId"`
}

// EventType implements Fact.
func (*DecisionHeld) EventType() Type { return DecisionHeldType }
func (*HeldReleased) EventType() Type { return HeldReleasedType }
func (*HeldLapsed) EventType() Type   { return HeldLapsedType }

func (f *DecisionHeld) words() any { return &f.Words }

func (f *HeldReleased) words() any { return &f.Words }

// HeldDecision is a decision that needs a second person's approval. Its texts are only in the log.
type HeldDecision struct {
	ID       string    `json:"id"`
	Sequence int       `json:"sequence"` // of the report's event
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Asked
	ExpiresAt time.Time `json:"expiresAt"`
}

// Hold is the input of DecideHold: an action, a resolution, or both. The caller must have checked that the action is
// possible.
type Hold struct {
	ID      string   // of the event; "" for any
	HeldID  string   // see DecisionHeld
	Reports []string // see Asked
	Action  string
	Resolve *Resolve
}

// DecideHold holds a decision for a second person. It fails if the decision would not be possible now.
func DecideHold(s State, caller string, h Hold, expectedVersion int, now time.Time) ([]Fact, error) {
	held := &DecisionHeld{ID: h.ID, HeldID: h.HeldID, Asked: Asked{Reports: h.Reports, Action: h.Action},
		ExpiresAt: now.UTC().Truncate(time.Microsecond).Add(HeldFor)}
	if h.Resolve == nil {
		if err := s.expectToDecide(expectedVersion); err != nil {
			return nil, err
		}
		return []Fact{held}, nil
	}
	c := *h.Resolve
	if _, err := DecideResolve(s, caller, c, expectedVersion); err != nil {
		return nil, err
	}
	held.Resolution, held.Policy, held.Shared = &c.Resolution, c.Policy, c.Share
	held.Explained, held.Reasoned = c.Explanation != nil, c.Reasons != nil
	for _, m := range c.Measures {
		held.Measures = append(held.Measures, AskedMeasure{m.Author, m.Kind, m.Until})
	}
	held.Words = ResolvedWords{Explanation: c.Explanation, Reasons: c.Reasons}
	return []Fact{held}, nil
}

// CheckNothingHeld returns invalid_state while the report has a held decision.
func (s *State) CheckNothingHeld() error {
	if s.HeldDecision == nil {
		return nil
	}
	return domain.Errorf(domain.CodeInvalidState, "A decision on this report waits for a second person, who must release it first.")
}

// expectToDecide is expect for a command that decides the report.
func (s *State) expectToDecide(version int) error {
	if err := expect(*s, version); err != nil {
		return err
	}
	return s.CheckNothingHeld()
}

// DecideRelease approves or rejects a held decision. After an approval the caller adds the facts of the decision
// itself.
func DecideRelease(s State, heldID, caller string, approved bool, reason *string, expectedVersion int, now time.Time) ([]Fact, error) {
	h := s.HeldDecision
	waits := h != nil && h.ID == heldID
	if waits && h.By == caller {
		return nil, domain.Errorf(domain.CodeOwnDecision, "You made this decision, so somebody else must release it.")
	}
	if approved {
		if err := CheckReplacement(s, caller); err != nil {
			return nil, err
		}
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if !waits || !now.Before(h.ExpiresAt) {
		return nil, domain.Errorf(domain.CodeInvalidState, "This decision no longer waits for a second person.")
	}
	return []Fact{&HeldReleased{By: &caller, HeldID: heldID, Approved: approved, Reasoned: reason != nil, Words: HeldReleasedWords{reason}}}, nil
}

// DecideHeldLapse ends a held decision that nobody released in time.
func DecideHeldLapse(s State, now time.Time) []Fact {
	if s.HeldDecision == nil || now.Before(s.HeldDecision.ExpiresAt) {
		return nil
	}
	return []Fact{&HeldLapsed{HeldID: s.HeldDecision.ID}}
}

// DecideHeldGone ends a held decision of an account that is being deleted.
func DecideHeldGone(s State, userID string) []Fact {
	if s.HeldDecision == nil || s.HeldDecision.By != userID {
		return nil
	}
	return []Fact{&HeldLapsed{HeldID: s.HeldDecision.ID}}
}

// holding returns the state after an event about a held decision, or about the account that made it.
func holding(s State, e Event) State {
	switch f := e.Fact.(type) {
	case *DecisionHeld:
		s.HeldDecision = &HeldDecision{ID: cmp.Or(f.HeldID, e.ID), Sequence: e.Sequence, By: domain.OrEmpty(e.ActorID), At: e.OccurredAt,
			Asked: f.Asked, ExpiresAt: f.ExpiresAt}
	case *HeldReleased, *HeldLapsed:
		s.HeldDecision = nil
	case *AccountRemoved:
		if s.HeldDecision != nil && s.HeldDecision.By == f.UserID {
			s.HeldDecision = nil
		}
	}
	return s
}

// HeldBy returns the decision that the event put on hold, or nil.
func HeldBy(e Event) *HeldDecision { return holding(State{}, e).HeldDecision }

// First reports whether this report gets the action and the measures of the held decision.
func (h *HeldDecision) First(reportID string) bool {
	return len(h.Reports) == 0 || h.Reports[0] == reportID
}

// All returns the reports that are decided together.
func (h *HeldDecision) All(reportID string) []string {
	if len(h.Reports) == 0 {
		return []string{reportID}
	}
	return slices.Clone(h.Reports)
}
