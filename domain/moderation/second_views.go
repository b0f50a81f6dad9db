package moderation

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/domain/target"
)

// SecondTask is what the reviewer sees: what the first person saw, without their decision.
type SecondTask struct {
	ID            string          `json:"id"`
	ReportID      string          `json:"reportId"`
	Reason        report.Reason   `json:"reason"`
	Description   *string         `json:"description"`
	AllegedPolicy *policy.Ref     `json:"allegedPolicy"`
	Target        TargetSummary   `json:"target"`
	Locale        string          `json:"locale"`
	Snapshot      json.RawMessage `json:"snapshot"`
	Context       []ContextView   `json:"context"` // the present one; empty if the platform does not respond
	CreatedAt     domain.Time     `json:"createdAt"`
	ExpiresAt     domain.Time     `json:"expiresAt"`
}

// SecondView is a second opinion as leads and its author see it.
type SecondView struct {
	ID         string        `json:"id"`
	ReportID   string        `json:"reportId"`
	DecisionID string        `json:"decisionId"`
	Status     second.Status `json:"status"`
	DecidedAt  domain.Time   `json:"decidedAt"`
	// First is null while there is no second decision, so that no list reveals the first to a possible reviewer.
	First   *VerdictView    `json:"first"`
	Second  *VerdictView    `json:"second"`
	Settled *SettlementView `json:"settled"`
}

// VerdictView is one of the two decisions.
type VerdictView struct {
	By         *Person           `json:"by"`
	Resolution report.Resolution `json:"resolution"`
	Policy     *policy.Ref       `json:"policy"`
	At         domain.Time       `json:"at"`
}

// SettlementView is the ruling of a third person.
type SettlementView struct {
	By     *Person     `json:"by"`
	Stands bool        `json:"stands"`
	Reason *string     `json:"reason"` // null once erased
	At     domain.Time `json:"at"`
}

// ViewSecond returns a second opinion as lists show it.
func ViewSecond(s *StoredSecond) SecondView {
	who := func(id, name *string) *Person {
		if id == nil || name == nil {
			return nil
		}
		return &Person{*id, *name}
	}
	v := SecondView{ID: s.ID, ReportID: s.ReportID, DecisionID: s.Decision, Status: s.Status(), DecidedAt: domain.Time(s.First.At)}
	if said := s.Second.Second; said != nil {
		v.First = &VerdictView{who(s.First.By, s.Names[0]), s.First.Resolution, s.First.Policy, domain.Time(s.First.At)}
		v.Second = &VerdictView{who(said.By, s.Names[1]), said.Resolution, said.Policy, domain.Time(said.At)}
	}
	if settled := s.Settled; settled != nil {
		v.Settled = &SettlementView{who(settled.By, s.Names[2]), settled.Stands, s.Reason, domain.Time(settled.At)}
	}
	return v
}

func (s *Service) viewTask(ctx context.Context, c *permission.Caller, turn *Turn) (*SecondTask, error) {
	a, err := s.Authorize(ctx, c, turn.ReportID, permission.ManageReports)
	if err != nil {
		return nil, err
	}
	stored, _, err := s.reports.FindWhole(ctx, turn.ReportID)
	if err != nil {
		return nil, err
	}
	if stored == nil || stored.Snapshot == nil { // erased since
		return nil, domain.NotFound()
	}
	around, err := s.Context(ctx, a)
	if err != nil && !errors.Is(err, &domain.Error{Code: domain.CodeUnavailable}) {
		return nil, err
	}
	return &SecondTask{ID: turn.SecondID, ReportID: stored.ID, Reason: stored.Reason, Description: stored.Description, AllegedPolicy: stored.Alleged,
		Target: s.summarizeTarget(a.Report), Locale: stored.Locale, Snapshot: stored.Snapshot, Context: asOfThen(around, turn.DecidedAt), CreatedAt: domain.Time(stored.CreatedAt), ExpiresAt: domain.Time(turn.Until)}, nil
}

// asOfThen removes from a context what could reveal the decision: the content's present state, whether other content is
// hidden, addresses, and what came after the decision.
func asOfThen(around []ContextView, decided time.Time) []ContextView {
	then := []ContextView{}
	for _, v := range around {
		if v.Relation != target.Itself && (v.At == nil || !time.Time(*v.At).After(decided)) {
			v.Hidden, v.URL = false, ""
			then = append(then, v)
		}
	}
	return then
}

// viewAnswer returns a second opinion that was just given. One on a golden task looks like any other, with the known
// answer as the first decision.
func viewAnswer(s *StoredSecond, turn *Turn, v second.Verdict, name string, agreed bool) SecondView {
	if turn.Golden {
		if answer := s.Answer(); answer != &s.First {
			s.First, s.Names[0] = *answer, s.Names[1]
		}
	}
	s.ID, s.Second.Second, s.Names[1], s.Agreed, s.Settled = turn.SecondID, &v, &name, agreed, nil
	return ViewSecond(s)
}
