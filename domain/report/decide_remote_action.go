package report

import (
	"cmp"
	"slices"

	"github.com/docketmod/docket/domain"
)

// ActionRequested records that a moderator or a rule requested an action from the platform that holds the content. The
// id of its event is the id of the message to the platform.
type ActionRequested struct {
	noWords
	Action     string `json:"action"`
	PluginID   string `json:"pluginId"`
	TargetType string `json:"targetType"`
	TargetID   string `json:"targetId"`
	// Undoes is the action that this one undoes, or "".
	Undoes string `json:"undoes,omitempty"`
	Rule   string `json:"rule,omitempty"` // as in ActionDone
}

// ActionUnchanged records that an action changed nothing.
type ActionUnchanged struct {
	noWords
	Action    string `json:"action"`
	Requested int    `json:"requested"` // the sequence of the request, 0 without one
	// Undoes is the action that this one undoes and that therefore does not stand, or "". Older
	// events do not have it.
	Undoes string `json:"undoes,omitempty"`
}

// ActionFailed records that the platform refused a request, or that it could not be delivered.
type ActionFailed struct {
	Action    string      `json:"action"`
	Code      FailureCode `json:"code"`
	Requested int         `json:"requested"` // the sequence of the request
	// Reason is "" except in events of earlier releases, which stored the reason here.
	Reason string            `json:"reason,omitempty"`
	Words  ActionFailedWords `json:"-"`
}

// ActionFailedWords is the evidence of ActionFailed. Docket writes the reason, which may quote
// the error of a connection.
type ActionFailedWords struct {
	Reason string `json:"reason"`
}

// FailureCode is why a requested action failed.
type FailureCode string

// The codes of failures.
const (
	ActionRefused     FailureCode = "refused"     // by the platform
	ActionUnreachable FailureCode = "unreachable" // the platform gave no usable answer in time
	ActionUnknown     FailureCode = "unknown"     // the type no longer has the action
)

// Request is a fact that requests something from the platform that holds the content. The id of its event is the id of
// the message to the platform.
type Request interface {
	Fact
	outcome(s State, sequence int, o ActionOutcome) Fact
}

// PendingAction is a request without an outcome yet.
type PendingAction struct {
	Action    string `json:"action"`              // "" for a measure
	MeasureID string `json:"measureId,omitempty"` // the measure that it is about; at most one is
	Sequence  int    `json:"sequence"`            // of the request
}

// CheckNoAction returns action_unavailable while a requested action has no outcome.
func (s *State) CheckNoAction() error {
	for _, p := range s.Pending {
		if p.Action != "" {
			return domain.Errorf(domain.CodeActionUnavailable, "The action %s is still in progress.", p.Action)
		}
	}
	return nil
}

// RequestOn returns the fact of a request for an action on the report's target.
func RequestOn(s State, action, undoes string) *ActionRequested {
	return &ActionRequested{Action: action, PluginID: s.Target.PluginID, TargetType: s.Target.Type, TargetID: s.Target.ID, Undoes: undoes}
}

// ActionOutcome is the outcome of a request.
type ActionOutcome struct {
	Changed bool
	Failed  FailureCode // "" if it did not fail
	Reason  string      // why it failed
}

// DecideOutcome records the outcome of the request asked, which has this sequence. It returns nothing if the request
// already has one.
func DecideOutcome(s State, sequence int, asked Request, o ActionOutcome) []Fact {
	if !s.AwaitsAction(sequence) {
		return nil
	}
	return []Fact{asked.outcome(s, sequence, o)}
}

func (f *ActionRequested) outcome(s State, sequence int, o ActionOutcome) Fact {
	switch {
	case o.Failed != "":
		return &ActionFailed{Action: f.Action, Code: o.Failed, Requested: sequence, Words: ActionFailedWords{o.Reason}}
	case !o.Changed:
		return &ActionUnchanged{Action: f.Action, Requested: sequence, Undoes: f.Undoes}
	}
	done := ActionOn(s, f.Action, f.Undoes)
	done.Requested, done.Rule = sequence, f.Rule
	return done
}

// AwaitsAction reports whether the request with this sequence has no outcome yet.
func (s *State) AwaitsAction(sequence int) bool {
	return slices.ContainsFunc(s.Pending, func(p PendingAction) bool { return p.Sequence == sequence })
}

// settled removes the pending request with this sequence, if there is one.
func settled(s State, sequence int) State {
	s.Pending = domain.Filter(s.Pending, func(p PendingAction) bool { return p.Sequence != sequence })
	return s
}

// EventType implements Fact.
func (*ActionRequested) EventType() Type { return ActionRequestedType }
func (*ActionUnchanged) EventType() Type { return ActionUnchangedType }
func (*ActionFailed) EventType() Type    { return ActionFailedType }

func (f *ActionFailed) words() any { return &f.Words }

// Why returns the reason; "" if it is erased.
func (f *ActionFailed) Why() string { return cmp.Or(f.Words.Reason, f.Reason) }
