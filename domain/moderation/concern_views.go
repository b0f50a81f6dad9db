package moderation

import (
	"encoding/json"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// ConcernView is a decision as an account affected by it sees it. It reveals nothing about
// reporters, and to a reporter nothing about the content's author.
type ConcernView struct {
	ID       string           `json:"id"` // the report's
	Target   ConcernTarget    `json:"target"`
	Title    string           `json:"title"`
	Excerpt  string           `json:"excerpt"`
	Decision *ConcernDecision `json:"decision"` // null if it was revoked
	Role     report.Role      `json:"role"`
	Appeal   *MemberAppeal    `json:"appeal"`
	Snapshot *json.RawMessage `json:"snapshot,omitempty"`
}

// ConcernTarget is the content that was decided on.
type ConcernTarget struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	URL   string `json:"url"`
}

// ConcernDecision is what an affected account may know of a decision.
type ConcernDecision struct {
	Resolution      report.Resolution `json:"resolution"`
	Policy          *policy.Ref       `json:"policy"`
	Reasons         json.RawMessage   `json:"reasons"`
	Explanation     *string           `json:"explanation"` // null unless it was shared with the reporter
	DecidedAt       *domain.Time      `json:"decidedAt"`
	AppealableUntil *domain.Time      `json:"appealableUntil"` // null if the account cannot appeal it
	Actions         []string          `json:"actions"`
}

// ViewConcern returns a decision for an account affected by it.
func (s *Service) ViewConcern(c Concern) ConcernView {
	v := ConcernView{ID: c.ID, Target: ConcernTarget{Type: c.Target.Type, Label: c.Target.Type, URL: c.URL},
		Title: c.Title, Excerpt: c.Excerpt, Role: c.Role}
	if def := s.targets.Find(c.Target.PluginID, c.Target.Type); def != nil {
		v.Target.Label = def.Label
	}
	appealable := false
	if c.Status == report.Done {
		d := viewDecision(&c.State)
		v.Decision = &ConcernDecision{Resolution: *c.Resolution, DecidedAt: d.DecidedAt, Actions: []string{}}
		appealable = c.Role.Appealable(*c.Resolution)
		if c.Role == report.Author && *c.Resolution == report.ActionTaken {
			v.Decision.Policy, v.Decision.Reasons, v.Decision.Actions = d.Policy, d.Reasons, d.Actions
		}
		if c.Role == report.Reporter && c.Shared {
			v.Decision.Explanation = c.Explanation
		}
		if appealable && c.Decision != nil && !slices.ContainsFunc(c.Decision.Appeals, func(a report.Appeal) bool { return a.By == c.Role }) {
			v.Decision.AppealableUntil = d.AppealableUntil
		}
	}
	v.Appeal = c.shownAppeal(appealable)
	return v
}

// shownAppeal returns the account's last appeal. It returns nil if that was of an earlier decision
// and the present one can be appealed.
func (c *Concern) shownAppeal(appealable bool) *MemberAppeal {
	var last *StoredAppeal
	for i := range c.Appeals {
		a := &c.Appeals[i]
		if a.By == c.Role && (last == nil || a.CreatedAt.After(last.CreatedAt)) {
			last = a
		}
	}
	present := func(a report.Appeal) bool { return last != nil && a.ID == last.ID }
	if last == nil || appealable && (c.Decision == nil || !slices.ContainsFunc(c.Decision.Appeals, present)) {
		return nil
	}
	return ViewMemberAppeal(*last)
}
