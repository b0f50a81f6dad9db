package moderation

import (
	"context"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// View returns the whole report as the caller may see it.
func (s *Service) View(ctx context.Context, a *Authorized) (*Report, error) {
	return s.render(ctx, a, a.Report)
}

// view reads the report again and renders it.
func (s *Service) view(ctx context.Context, a *Authorized) (*Report, error) {
	stored, err := s.reports.Find(ctx, a.Report.ID)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, domain.NotFound()
	}
	stored.Scope = a.Report.Scope
	return s.render(ctx, a, stored)
}

// render returns the report for the caller. target.current is null if the plugin cannot be reached.
func (s *Service) render(ctx context.Context, a *Authorized, stored *Stored) (*Report, error) {
	var state *target.State
	if a.targetErr == nil {
		var err error
		if state, err = s.current(target.NotBefore(ctx, a.since), stored); err != nil {
			if err := s.tolerate(ctx, stored.Target, err); err != nil {
				return nil, err
			}
		}
	}
	timeline, err := s.reports.FirstTimeline(ctx, stored.ID)
	if err != nil {
		return nil, err
	}
	r := &Report{
		common:   commonOf(stored),
		Target:   TargetDetail{TargetSummary: s.summarizeTarget(stored), Current: state},
		Snapshot: stored.Snapshot, Actions: s.actions(a.Caller, stored, state), Moves: []report.Move{}, Timeline: &timeline,
	}
	if allows(a.Caller, stored, permission.ManageReports) {
		r.Moves = report.Moves(stored.State, a.Caller.UserID, stored.Refiled)
	}
	return r, nil
}

// current returns the target's present state, or nil once it is deleted or its type is no
// longer registered.
func (s *Service) current(ctx context.Context, stored *Stored) (*target.State, error) {
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, def.ReadTimeout())
	defer cancel()
	return def.Current(ctx, stored.Target.ID, stored.Locale)
}

// actions returns the target's registered actions as the caller may use them.
func (s *Service) actions(c *permission.Caller, stored *Stored, state *target.State) []ActionView {
	views := []ActionView{}
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil {
		return views
	}
	for _, a := range def.Actions {
		views = append(views, ActionView{Name: a.Name, Available: state != nil && len(stored.Pending) == 0 && a.Available(*state),
			Pending:   slices.ContainsFunc(stored.Pending, func(p report.PendingAction) bool { return p.Action == a.Name }),
			Permitted: allows(c, stored, permission.ManageReports) && allows(c, stored, a.Permission)})
	}
	return views
}

// Summarize returns a report in the form of lists.
func (s *Service) Summarize(r *Stored) Summary {
	return Summary{common: commonOf(r), Target: s.summarizeTarget(r), Title: r.Title, Excerpt: r.Excerpt}
}

func (s *Service) summarizeTarget(r *Stored) TargetSummary {
	label := r.Target.Type
	if def := s.targets.Find(r.Target.PluginID, r.Target.Type); def != nil {
		label = def.Label
	}
	return TargetSummary{PluginID: r.Target.PluginID, Type: r.Target.Type, ID: r.Target.ID, Label: label,
		PermissionModule: r.Target.PermissionModule, Scope: r.Scope}
}

func commonOf(r *Stored) common {
	return common{
		ID: r.ID, Status: r.Status, Version: r.Version, Reason: r.Reason, Description: r.Description,
		Reporter: r.Reporter, Assignee: r.Assignee, Resolver: r.Resolver,
		Resolution: r.Resolution, Explanation: r.Explanation, Decision: viewDecision(&r.State),
		OpenReportsOnTarget: r.OpenReportsOnTarget, NoteCount: r.NoteCount, Erased: r.Erased,
		DueAt: TimeOf(r.DueAt), Muted: r.Muted,
		CreatedAt: Time(r.CreatedAt), UpdatedAt: Time(r.UpdatedAt), ResolvedAt: TimeOf(r.ResolvedAt),
	}
}
