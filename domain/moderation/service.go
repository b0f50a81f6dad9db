package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

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

	// Unasked hears why a target could not be asked for; nil: nobody does. Set it
	// before the first use.
	Unasked func(context.Context, error)
}

// New makes the service; locale is the default for members who ask for none.
func New(log Log, reports Reports, staff Staff, targets *target.Registry, now func() time.Time, locale string) *Service {
	return &Service{log: log, reports: reports, staff: staff, targets: targets, now: now, locale: locale}
}

// pluginTimeout bounds what a plugin reads before or after a command, and
// actionTimeout what its action does inside one.
const (
	pluginTimeout = 5 * time.Second
	actionTimeout = 5 * time.Second
)

// Authorized is a report that the caller may see, with what was needed of it.
// Commands take one, so that none runs unauthorised.
type Authorized struct {
	Caller *permission.Caller
	Report *Stored
	note   *report.Note
	action target.Action
	// unasked is why the target could not be asked where it is; it is not asked for
	// anything else then, so that a plugin which hangs is waited for once.
	unasked error
}

// Authorize answers in the order of contract 3.3: NotFound for a report that
// no view grant of the caller covers, Forbidden where need is missing. The
// stored scope decides first, then the target's own word on it.
func (s *Service) Authorize(ctx context.Context, c *permission.Caller, reportID, need string) (*Authorized, error) {
	stored, err := s.reports.Find(ctx, reportID)
	if err != nil {
		return nil, err
	}
	if stored == nil || !allows(c, stored, permission.ViewReports) {
		return nil, domain.NotFound()
	}
	unasked, err := s.refreshScope(ctx, stored)
	if err != nil {
		return nil, err
	}
	if !allows(c, stored, permission.ViewReports) {
		return nil, domain.NotFound()
	}
	if need != "" && !allows(c, stored, need) {
		return nil, domain.Errorf(domain.CodeForbidden, "You need the permission %s for this report.", need)
	}
	return &Authorized{Caller: c, Report: stored, unasked: unasked}, nil
}

// allows tells whether the caller holds the permission for the report.
func allows(c *permission.Caller, s *Stored, need string) bool {
	return c.Moderator.Covers(s.Target.PluginID, s.Target.PermissionModule, need, present(s))
}

func present(s *Stored) scope.Resource {
	if s.Scope == nil {
		return scope.Resource{}
	}
	return *s.Scope
}

// refreshScope asks the target where it is now. A deleted target, or one whose
// type is no longer registered, stays where it was; so does one that cannot be
// asked, and unasked says why.
func (s *Service) refreshScope(ctx context.Context, stored *Stored) (unasked, err error) {
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil || def.ScopeFamily == "" {
		return nil, nil
	}
	asking, cancel := context.WithTimeout(ctx, pluginTimeout)
	defer cancel()
	id, exists, err := def.ResolveScope(asking, stored.Target.ID)
	if err != nil {
		return err, s.goOn(ctx, stored.Target, err)
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

// goOn goes on when a plugin could not tell of a target: the evidence is here, and a
// fault of the plugin must not look as if a command that is stored were not. It is the
// error of the request when that has ended.
func (s *Service) goOn(ctx context.Context, t report.Target, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if s.Unasked != nil {
		s.Unasked(ctx, fmt.Errorf("%s %s cannot be asked for: %w", t.Type, t.ID, err))
	}
	return nil
}

// update runs a command and gives the report after it. Conflicts carry the
// report as the caller may see it now.
func (s *Service) update(ctx context.Context, a *Authorized, ref Ref, decide Decide) (*Report, error) {
	_, err := s.log.Update(ctx, ref, &a.Caller.UserID, decide)
	var e *domain.Error
	if errors.As(err, &e) && carriesCurrent(e.Code) {
		current, viewErr := s.view(ctx, a)
		if viewErr != nil {
			return nil, viewErr
		}
		withCurrent := *e
		withCurrent.Current = current
		return nil, &withCurrent
	}
	if err != nil {
		return nil, err
	}
	return s.view(ctx, a)
}

func carriesCurrent(c domain.Code) bool {
	return c == domain.CodeConflict || c == domain.CodeInvalidState || c == domain.CodeActionUnavailable
}
