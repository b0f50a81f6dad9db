package report

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain/policy"
)

// Decision holds the details of the present decision besides its resolution and resolver.
type Decision struct {
	Sequence  int         `json:"sequence"` // of its event
	Policy    *policy.Ref `json:"policy"`   // the rule that it cites; nil if none was given
	Reasoned  bool        `json:"reasoned"` // reasons were given to the author
	DecidedAt time.Time   `json:"decidedAt"`
	// AppealableUntil is when appeals end; nil if the decision cannot be appealed.
	AppealableUntil *time.Time `json:"appealableUntil"`
	Appeals         []Appeal   `json:"appeals,omitempty"` // at most one of each role
}

// decided returns the state after a decision, which replaces an earlier one.
func decided(s State, e Event, f *Resolved) State {
	s.Status = Done
	s.ResolverID = e.ActorID
	s.Resolution, s.Explanation, s.Shared = &f.Resolution, f.Words.Explanation, f.Shared
	s.ResolvedAt = &e.OccurredAt
	s.Reasons = f.Words.Reasons
	s.Decision = nil
	if f.Policy != nil || f.Reasoned || f.AppealableUntil != nil {
		s.Decision = &Decision{Sequence: e.Sequence, Policy: f.Policy, Reasoned: f.Reasoned, DecidedAt: e.OccurredAt, AppealableUntil: f.AppealableUntil}
	}
	return s
}

// undecided returns the state after a decision was revoked.
func undecided(s State) State {
	s.ResolverID, s.Resolution, s.Explanation, s.Shared, s.ResolvedAt = nil, nil, nil, false, nil
	s.Reasons, s.Decision = nil, nil
	return s
}

// acted returns the actions that stand after another one.
func acted(standing []string, f *ActionDone) []string {
	undoes := f.Undoes
	if undoes == "" && f.Action == "unhide" {
		undoes = "hide" // old events do not record what they undo
	}
	if undoes == "" {
		if slices.Contains(standing, f.Action) {
			return standing
		}
		return append(slices.Clip(standing), f.Action)
	}
	var left []string
	for _, name := range standing {
		if name != undoes {
			left = append(left, name)
		}
	}
	return left
}
