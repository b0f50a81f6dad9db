package moderation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// MaxCaseReports is how many reports of a case one decision may include.
const MaxCaseReports = 200

// CaseDecision is what to do with the reports of a case: an action on the content, a
// resolution of each of them, or both.
type CaseDecision struct {
	Target  CaseTarget
	Reports []ExpectedReport // each once
	Action  *string
	Resolve *report.Resolve

	held map[string]report.Hold // by report, if the decision is held
}

// ExpectedReport is a report in the version that the caller has read.
type ExpectedReport struct {
	ID              string
	ExpectedVersion int
}

// CaseOutcome is what a decision on a case did.
type CaseOutcome struct {
	Reports   []Summary `json:"reports"`
	Remaining int       `json:"remaining"` // other open reports of the target
	Held      *HeldView `json:"held"`      // the held decision, or null
}

// CaseConflict is a report that prevents a decision on its case.
type CaseConflict struct {
	ID      string  `json:"id"`
	Current *Report `json:"current"`
}

// DecideCase claims the reports for the caller, runs the action once and resolves them all, in one
// transaction: or does none of it. The action and the measures are recorded in the report that was
// filed first. If the policy or the action needs a second person, all of it is held as one decision
// and nothing is claimed.
func (s *Service) DecideCase(ctx context.Context, c *permission.Caller, d CaseDecision) (*CaseOutcome, error) {
	found, err := s.reports.FindAll(ctx, idsOf(d.Reports))
	if err != nil {
		return nil, err
	}
	issues, err := s.caseIssues(ctx, c, d, found)
	if err := cmp.Or(err, domain.Invalid(issues...)); err != nil {
		return nil, err
	}
	first := d.first(found)
	a, err := s.authorizeDecision(ctx, c, first.ID, d.Action) // it applies to all, since they have one target
	if err != nil {
		return nil, err
	}
	var state *target.State
	if d.Action != nil {
		if state, err = s.stateForAction(ctx, a); err != nil {
			return nil, err
		}
	}
	if d.Resolve != nil {
		if err := s.completeResolve(ctx, a, d.Resolve, "resolve."); err != nil {
			return nil, err
		}
		if len(d.Reports) > 1 {
			d.Resolve.DecisionID = uuid.Must(uuid.NewV7()).String()
		}
	}
	if d.Resolve != nil && d.Resolve.SecondKey || d.Action != nil && a.action.SecondKey {
		d.held = d.holds(first.ID)
	}
	expected := map[string]int{}
	for _, r := range d.Reports {
		expected[r.ID] = r.ExpectedVersion
	}
	after, err := s.log.UpdateAll(ctx, idsOf(d.Reports), &c.UserID, func(ctx context.Context, tx pgx.Tx, loaded []Loaded) ([]Change, error) {
		if err := caseConflicts(loaded, c.UserID, expected); err != nil {
			return nil, err
		}
		if d.held != nil {
			return d.hold(a, loaded, state)
		}
		return changeEach(loaded, func(l Loaded) (Change, error) {
			return decideInCase(ctx, tx, a, l, d, state, l.State.ID == first.ID)
		})
	})
	if err != nil {
		return nil, s.withConflicts(ctx, a, err)
	}
	return s.caseOutcome(ctx, d, after)
}

func idsOf(reports []ExpectedReport) []string {
	return domain.Map(reports, func(r ExpectedReport) string { return r.ID })
}

// first returns the report that was filed first.
func (d CaseDecision) first(found map[string]*Stored) ExpectedReport {
	return slices.MinFunc(d.Reports, func(a, b ExpectedReport) int { return found[a.ID].CreatedAt.Compare(found[b.ID].CreatedAt) })
}

// CaseIssues returns the faults of a decision that depend on the content and on what is in force. The caller checks its
// form, such as an empty target or id.
func (s *Service) CaseIssues(ctx context.Context, c *permission.Caller, d CaseDecision) ([]domain.Issue, error) {
	found, err := s.reports.FindAll(ctx, domain.Filter(idsOf(d.Reports), func(id string) bool { return id != "" }))
	if err != nil {
		return nil, err
	}
	return s.caseIssues(ctx, c, d, found)
}

// caseIssues returns every fault of a decision. A report that the caller may not see counts as missing.
func (s *Service) caseIssues(ctx context.Context, c *permission.Caller, d CaseDecision, found map[string]*Stored) (issues domain.Issues, err error) {
	targeted, seen := d.Target.PluginID != "" && d.Target.Type != "" && d.Target.ID != "", len(d.Reports) > 0
	for i, r := range d.Reports {
		stored, path := found[r.ID], fmt.Sprintf("reports[%d].id", i)
		switch {
		case r.ID != "" && (stored == nil || !allows(c, stored, permission.ViewReports)):
			issues.Add(path, "unknown_report", "There is no such report.")
		case r.ID != "" && targeted && CaseOf(stored.Target) != d.Target:
			issues.Add(path, "other_target", "This report is about another target.")
		case r.ID != "" && targeted:
			continue
		}
		seen = false
	}
	if d.Action == nil && d.Resolve == nil {
		issues.Add("resolve", "required", "Give an action, a resolution or both.")
	}
	if targeted {
		issues = append(issues, s.actionIssues(d.Target, d.Action)...)
	}
	if d.Resolve == nil {
		return issues, nil
	}
	resolve, a := *d.Resolve, &Authorized{}
	if seen {
		a.Report = found[d.first(found).ID]
	} else {
		resolve.Measures = nil // they can only be checked with the report's authors
	}
	more, _, err := s.resolveIssues(ctx, a, &resolve, "resolve.")
	return append(issues, more...), err
}

// actionIssues returns the fault of an action that the content does not have.
func (s *Service) actionIssues(t CaseTarget, name *string) []domain.Issue {
	if name == nil {
		return nil
	}
	if _, known := s.targets.Find(t.PluginID, t.Type).Action(*name); known {
		return nil
	}
	return []domain.Issue{{Path: "action", Code: "unknown_action", Message: "This content has no such action."}}
}

// decideInCase returns the change of one report. The first one has the action and the measures.
func decideInCase(ctx context.Context, tx pgx.Tx, a *Authorized, l Loaded, d CaseDecision, state *target.State, first bool) (Change, error) {
	claimed, err := report.DecideClaim(l.State, a.Caller.UserID, l.State.Version)
	if err != nil {
		return Change{}, err
	}
	resolve := d.Resolve
	if resolve != nil && !first {
		resolve = resolve.WithoutMeasures()
	}
	return a.decide(ctx, tx, l, claimed, d.Action != nil && first, state, resolve, l.State.Version)
}

// holds returns the part of the decision to hold on each report. The first one has the action and the measures.
func (d CaseDecision) holds(first string) map[string]report.Hold {
	hold := report.Hold{ID: uuid.Must(uuid.NewV7()).String(), Action: domain.OrEmpty(d.Action), Resolve: d.Resolve}
	held := map[string]report.Hold{}
	if d.Resolve == nil || len(d.Reports) == 1 {
		held[first] = hold
		return held
	}
	others := domain.Filter(idsOf(d.Reports), func(id string) bool { return id != first })
	hold.Reports = append([]string{first}, others...)
	held[first] = hold
	for _, id := range others {
		held[id] = report.Hold{HeldID: hold.ID, Reports: hold.Reports, Resolve: d.Resolve.WithoutMeasures()}
	}
	return held
}

// hold returns the changes that hold the decision.
func (d CaseDecision) hold(a *Authorized, loaded []Loaded, state *target.State) ([]Change, error) {
	return changeEach(loaded, func(l Loaded) (Change, error) {
		h, ok := d.held[l.State.ID]
		if !ok {
			return Change{}, nil
		}
		return a.hold(l, h, state, l.State.Version)
	})
}

// caseConflictError is the error of a decision on reports that have changed. withConflicts adds the current reports to
// it.
type caseConflictError struct {
	code domain.Code
	ids  []string
}

func (e *caseConflictError) Error() string { return string(e.code) }

// caseConflicts returns an error if the reports cannot be decided: own_decision if the user may not replace the
// decision on one of them. Otherwise the error names all reports that somebody else has claimed, or that are done, have
// another version than expected, or have a held decision. Its code is already_claimed if one is claimed by somebody
// else, else conflict.
func caseConflicts(loaded []Loaded, userID string, expected map[string]int) error {
	var held, stale []string
	for _, l := range loaded {
		if err := report.CheckReplacement(l.State, userID); err != nil {
			return err
		}
		switch {
		case l.State.Held() && !l.State.HeldBy(userID):
			held = append(held, l.State.ID)
		case l.State.Version != expected[l.State.ID] || l.State.Status == report.Done || l.State.HeldDecision != nil:
			stale = append(stale, l.State.ID)
		}
	}
	switch {
	case held != nil:
		return &caseConflictError{domain.CodeAlreadyClaimed, append(held, stale...)}
	case stale != nil:
		return &caseConflictError{domain.CodeConflict, stale}
	}
	return nil
}

// withConflicts adds the conflicting reports to the error, as the caller sees them.
func (s *Service) withConflicts(ctx context.Context, a *Authorized, err error) error {
	var conflict *caseConflictError
	if !errors.As(err, &conflict) {
		return s.withCurrent(ctx, a, err)
	}
	conflicts := make([]CaseConflict, len(conflict.ids))
	for i, id := range conflict.ids {
		of := *a
		of.Report = &Stored{State: report.State{ID: id}, Scope: a.Report.Scope}
		current, err := s.View(ctx, &of)
		if err != nil {
			return err
		}
		conflicts[i] = CaseConflict{ID: id, Current: current}
	}
	return &domain.Error{Code: conflict.code, Message: "Reports of this case have changed since you read them.", Conflicts: conflicts}
}

// caseOutcome returns the reports after the decision, in the order of the request.
func (s *Service) caseOutcome(ctx context.Context, d CaseDecision, after []report.State) (*CaseOutcome, error) {
	ids := idsOf(d.Reports)
	found, err := s.reports.FindAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	open, err := s.reports.CountOpenReports(ctx, d.Target)
	if err != nil {
		return nil, err
	}
	out := &CaseOutcome{Reports: []Summary{}, Remaining: open}
	for _, id := range ids {
		if r := found[id]; r != nil {
			r.OpenReportsOnTarget = open
			out.Reports = append(out.Reports, s.Summarize(r))
			if _, ok := d.held[id]; ok {
				out.Held = cmp.Or(out.Held, viewHeld(r))
			}
		}
	}
	for _, s := range after {
		if s.Status != report.Done && !s.Muted {
			out.Remaining--
		}
	}
	return out, nil
}
