package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Service runs the use cases. It is safe for concurrent use.
type Service struct {
	log     Log
	reports Reports
	staff   Staff
	targets *target.Registry
	now     func() time.Time
	locale  string

	// OnTargetError is called when a command or view continues without its target,
	// because the target's plugin failed. It may be nil. Set it before the first use.
	OnTargetError func(context.Context, error)
	// Deadlines are those of new reports. Set them before the first use.
	Deadlines report.Deadlines
	// Policies are those that decisions may cite; nil means none. Set it before the first use.
	Policies Policies
	// AppealPeriod is how long decisions can be appealed; 0 means not at all. Set it before
	// the first use.
	AppealPeriod time.Duration
}

// New returns a service. locale is used for members who ask for none.
func New(log Log, reports Reports, staff Staff, targets *target.Registry, now func() time.Time, locale string) *Service {
	return &Service{log: log, reports: reports, staff: staff, targets: targets, now: now, locale: locale}
}

// actionTimeout bounds the run of a content action inside a command.
const actionTimeout = 5 * time.Second

// Authorized is a report that the caller may see and has the needed permission for.
// Every command takes one, so that none can run without authorization.
type Authorized struct {
	Caller *permission.Caller
	Report *Stored
	note   *report.Note
	action target.Action
	undoes string // the name of the action that action takes back, or ""
	// targetErr says why the target's scope could not be read. Nothing else is then read
	// from the target, so that a request waits for a hanging plugin only once.
	targetErr error
	// since is when a command began: cached data of its target must not be older.
	since time.Time
}

// Authorize returns NotFound for a report that no can_view_reports grant of the caller
// covers, and then Forbidden if the permission need is missing. The stored scope is
// checked first, then the scope that the target itself reports.
func (s *Service) Authorize(ctx context.Context, c *permission.Caller, reportID, need string) (*Authorized, error) {
	stored, err := s.reports.Find(ctx, reportID)
	if err != nil {
		return nil, err
	}
	if stored == nil || !allows(c, stored, permission.ViewReports) {
		return nil, domain.NotFound()
	}
	var since time.Time
	if need != "" && need != permission.ViewReports {
		since = s.now()
	}
	targetErr, err := s.refreshScope(target.NotBefore(ctx, since), stored)
	if err != nil {
		return nil, err
	}
	if !allows(c, stored, permission.ViewReports) {
		return nil, domain.NotFound()
	}
	if need != "" && !allows(c, stored, need) {
		return nil, domain.Errorf(domain.CodeForbidden, "You need the permission %s for this report.", need)
	}
	return &Authorized{Caller: c, Report: stored, targetErr: targetErr, since: since}, nil
}

// allows reports whether the caller holds the permission for the report.
func allows(c *permission.Caller, s *Stored, need string) bool {
	return c.Moderator.Covers(s.Target.PluginID, s.Target.PermissionModule, need, presentScope(s))
}

func presentScope(s *Stored) scope.Resource {
	if s.Scope == nil {
		return scope.Resource{}
	}
	return *s.Scope
}

// refreshScope asks the target for its present scope and stores a changed one. The
// stored scope is kept if the target is deleted, its type is no longer registered, or
// its plugin fails; targetErr says how it failed.
func (s *Service) refreshScope(ctx context.Context, stored *Stored) (targetErr, err error) {
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil || def.ScopeFamily == "" {
		return nil, nil
	}
	bounded, cancel := context.WithTimeout(ctx, def.ReadTimeout())
	defer cancel()
	id, exists, err := def.ResolveScope(bounded, stored.Target.ID)
	if errors.Is(err, target.ErrScopeUnknown) {
		return nil, nil
	}
	if err != nil {
		return err, s.tolerate(ctx, stored.Target, err)
	}
	if !exists {
		return nil, nil
	}
	now := scope.ResourceOf(def.ScopeFamily, id)
	if stored.Scope != nil && *stored.Scope == now {
		return nil, nil
	}
	before := stored.Scope
	stored.Scope = &now
	return nil, s.reports.SetScope(ctx, stored.Target, before, now)
}

// tolerate passes a plugin's read failure to OnTargetError. It returns err only if the
// request itself has ended: a failing plugin must not make a committed command look as if it
// had failed.
func (s *Service) tolerate(ctx context.Context, t report.Target, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if s.OnTargetError != nil {
		s.OnTargetError(ctx, fmt.Errorf("read target %s %s: %w", t.Type, t.ID, err))
	}
	return nil
}

// update runs a command and returns the report after it. Conflicts carry the current
// report as the caller sees it.
func (s *Service) update(ctx context.Context, a *Authorized, ref Ref, decide Decide) (*Report, error) {
	if _, err := s.log.Update(ctx, ref, &a.Caller.UserID, decide); err != nil {
		return nil, s.withCurrent(ctx, a, err)
	}
	return s.view(ctx, a)
}

// decide is update for a command that only needs the report's state.
func (s *Service) decide(ctx context.Context, a *Authorized, decide func(report.State) ([]report.Fact, error)) (*Report, error) {
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		facts, err := decide(l.State)
		return Change{Facts: facts}, err
	})
}

// withCurrent adds the current report to an error that carries it.
func (s *Service) withCurrent(ctx context.Context, a *Authorized, err error) error {
	var e *domain.Error
	if !errors.As(err, &e) || !carriesCurrent(e.Code) {
		return err
	}
	current, viewErr := s.view(ctx, a)
	if viewErr != nil {
		return viewErr
	}
	withCurrent := *e
	withCurrent.Current = current
	return &withCurrent
}

func carriesCurrent(c domain.Code) bool {
	return c == domain.CodeConflict || c == domain.CodeInvalidState || c == domain.CodeActionUnavailable
}
