package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// MatchTask is the name of the task that records which rules matched a report. Its payload is a RuleMatches.
const MatchTask = "rules.match"

// RuleMatches are matches of rules that were evaluated on the same facts.
type RuleMatches struct {
	ReportID string             `json:"reportId"`
	Matches  []report.RuleMatch `json:"matches"`
}

// HiddenByRules reads which targets rules have hidden.
type HiddenByRules interface {
	// HiddenByRule returns the rule that hid a target, or "".
	HiddenByRule(ctx context.Context, tx pgx.Tx, t CaseTarget) (rule string, err error)
	// LastDecided reports whether no other report keeps a target hidden: an open one, one on which
	// action was taken, or one by which a person hid it. It waits for other transactions that call it
	// for the target.
	LastDecided(ctx context.Context, tx pgx.Tx, t CaseTarget, decided []string) (bool, error)
}

// MatchRules records the matches in the report, each version of a rule once, and hides the content if one of the rules
// says so, in one transaction. It is idempotent. If the content cannot be hidden, it returns an error and records
// nothing; if last is set, it then still records the matches.
func (s *Service) MatchRules(ctx context.Context, m RuleMatches, last bool) error {
	var hide *target.Action
	var fault error // why the content cannot be hidden
	if slices.ContainsFunc(m.Matches, func(m report.RuleMatch) bool { return m.Then.Hide && !m.Shadow }) {
		if hide, fault = s.hideAction(ctx, m.ReportID); fault != nil && !last {
			return fault
		}
	}
	hides := false
	record := func(hide *target.Action) error {
		_, err := s.log.Update(ctx, Ref{ReportID: m.ReportID}, nil, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
			change := Change{Facts: report.DecideRuleMatched(l.State, m.Matches)}
			key := report.HidingRule(l.State, change.Facts)
			hides = key != ""
			if !hides || hide == nil {
				return change, nil
			}
			_, err := take(ctx, tx, nil, l, *hide, "", key, &change)
			return change, err
		})
		return err
	}
	err := record(hide)
	if err != nil && last && hide != nil && ctx.Err() == nil {
		err = errors.Join(err, record(nil))
	}
	if errors.Is(err, domain.NotFound()) {
		return nil
	}
	if hides {
		err = errors.Join(err, fault)
	}
	return err
}

// hideAction returns the action that hides the content of a report, or nil if there is none or it is not available. The
// request is also sent to a platform that cannot be reached now, since it is retried. A type that this server does not
// have is an error, since another server may have it.
func (s *Service) hideAction(ctx context.Context, reportID string) (*target.Action, error) {
	stored, err := s.reports.Find(ctx, reportID)
	if err != nil || stored == nil {
		return nil, err
	}
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil {
		return nil, fmt.Errorf("the type %s is not registered", stored.Target.Type)
	}
	hide, ok := def.Action(report.HideAction)
	if !ok {
		return nil, nil
	}
	state, err := s.current(ctx, stored)
	switch {
	case err != nil && hide.Do == nil:
		return nil, err
	case err == nil && (state == nil || !state.Actions[hide.Name]):
		return nil, nil
	}
	return &hide, nil
}

// take runs an action and adds it to a change, or requests it if the content lives elsewhere. rule is the key of the
// rule that takes it, or "". taken is false if the action changed nothing.
func take(ctx context.Context, tx pgx.Tx, actorID *string, l Loaded, a target.Action, undoes, rule string, change *Change) (taken bool, err error) {
	change.PluginID = l.State.Target.PluginID
	if a.Do != nil {
		asked := report.RequestOn(l.State, a.Name, undoes)
		asked.Rule = rule
		change.Facts = append(change.Facts, asked)
		change.Effects = append(change.Effects, request(l.State, l.State.Sequence+len(change.Facts)))
		return true, nil
	}
	result, err := runAction(ctx, l.State.Target.Type, a, target.ActionRequest{ActorID: domain.OrEmpty(actorID), TargetID: l.State.Target.ID, At: l.Now, Tx: tx})
	if err != nil {
		return false, actionFailed(err)
	}
	if !result.Changed {
		return false, nil
	}
	done := report.ActionOn(l.State, a.Name, undoes)
	done.Rule = rule
	change.Facts = append(change.Facts, done)
	change.Events, change.Effects = append(change.Events, result.Events...), append(change.Effects, result.Effects...)
	return true, nil
}

// restore unhides a target that a rule hid, if the changes close its last open reports as no violation, or if the
// platform hid it only after that.
func (s *Service) restore(ctx context.Context, tx pgx.Tx, actorID *string, loaded []Loaded, changes []Change) error {
	ids, last := make([]string, len(loaded)), -1
	var after report.State
	for i, l := range loaded {
		ids[i] = l.State.ID
		if !slices.ContainsFunc(changes[i].Facts, endsHiding) {
			continue
		}
		now := stateAfter(l, changes[i], actorID)
		if now.Status == report.Done && *now.Resolution == report.NoViolation {
			last, after = i, now
		}
	}
	if last < 0 || slices.ContainsFunc(changes[last].Facts, shows) || hiddenByPerson(after) {
		return nil
	}
	t := CaseOf(after.Target)
	rule := after.HiddenBy
	if rule == "" {
		var err error
		if rule, err = s.reports.HiddenByRule(ctx, tx, t); err != nil || rule == "" {
			return err
		}
	}
	if ended, err := s.reports.LastDecided(ctx, tx, t, ids); err != nil || !ended {
		return err
	}
	undo, ok := s.targets.Find(t.PluginID, t.Type).UndoOf(report.HideAction)
	if !ok {
		return s.checkPlugin(ctx, tx, after.Target)
	}
	_, err := take(ctx, tx, actorID, loaded[last], undo, report.HideAction, rule, &changes[last])
	return err
}

// endsHiding reports whether a fact can end a rule's hiding.
func endsHiding(f report.Fact) bool {
	switch f := f.(type) {
	case *report.Resolved:
		return f.Resolution == report.NoViolation
	case *report.ActionDone:
		return f.Rule != "" && f.Action == report.HideAction
	}
	return false
}

// shows reports whether a fact unhides content.
func shows(f report.Fact) bool {
	switch f := f.(type) {
	case *report.ActionDone:
		return f.Undoes == report.HideAction
	case *report.ActionRequested:
		return f.Undoes == report.HideAction
	}
	return false
}

func hiddenByPerson(s report.State) bool {
	return s.HiddenBy == "" && slices.Contains(s.Standing, report.HideAction)
}
