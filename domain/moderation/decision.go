package moderation

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// Policies are the rules that decisions cite.
type Policies interface {
	// InForce reports whether the version is in force.
	InForce(ctx context.Context, ref policy.Ref) (bool, error)
}

// DecisionView is the present decision on a report that is done.
type DecisionView struct {
	Policy          *policy.Ref     `json:"policy"`
	Reasons         json.RawMessage `json:"reasons"` // a JSON string or a document; null if there are none or they were erased
	DecidedAt       *Time           `json:"decidedAt"`
	AppealableUntil *Time           `json:"appealableUntil"`
	Actions         []string        `json:"actions"` // that were taken and not taken back
	Erased          bool            `json:"erased,omitempty"`
}

// viewDecision returns the decision on a report, or nil if it is not done.
func viewDecision(s *report.State) *DecisionView {
	if s.Status != report.Done {
		return nil
	}
	v := &DecisionView{DecidedAt: TimeOf(s.ResolvedAt), Reasons: s.Reasons, Actions: slices.Clone(s.Standing)}
	if v.Actions == nil {
		v.Actions = []string{}
	}
	if d := s.Decision; d != nil {
		v.Policy, v.AppealableUntil = d.Policy, TimeOf(d.AppealableUntil)
		v.Erased = d.Reasoned && s.Reasons == nil
	}
	return v
}

// completeResolve checks that the policy which the decision cites, if any, is in force, and
// sets how long it can be appealed. path is the policy's in the request.
func (s *Service) completeResolve(ctx context.Context, c *report.Resolve, path string) error {
	c.AppealableUntil = s.appealableUntil(c.Resolution)
	if c.Policy == nil {
		return nil
	}
	if s.Policies != nil {
		inForce, err := s.Policies.InForce(ctx, *c.Policy)
		if err != nil || inForce {
			return err
		}
	}
	return domain.Invalid(domain.Issue{Path: path, Code: "unknown_policy", Message: "This version of the policy is not in force."})
}

// appealableUntil returns when appeals of a decision made now end, or nil if there can be
// none.
func (s *Service) appealableUntil(r report.Resolution) *time.Time {
	if s.AppealPeriod <= 0 || !report.Author.Appealable(r) && !report.Reporter.Appealable(r) {
		return nil
	}
	until := s.now().Add(s.AppealPeriod).UTC().Truncate(time.Microsecond)
	return &until
}
