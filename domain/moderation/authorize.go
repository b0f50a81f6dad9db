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

// Authorized is a report that the caller may see and has the needed permission for.
// Every command takes one, so that none can run without authorization.
type Authorized struct {
	Caller *permission.Caller
	Report *Stored
	note   report.Note
	action target.Action
	undoes string // the name of the action that action undoes, or ""
	// targetErr is why the target's scope could not be read. Nothing else is then read from the
	// target, so that a request waits for an unresponsive plugin only once.
	targetErr error
	// since is when a command began: cached data of its target must not be older.
	since time.Time
}

// Authorize returns NotFound for a report that no can_view_reports grant of the caller covers, and
// then Forbidden if the permission need is missing. It checks the stored scope first, then the
// target's present scope.
func (s *Service) Authorize(ctx context.Context, c *permission.Caller, reportID, need string) (*Authorized, error) {
	var since time.Time
	if need != "" && need != permission.ViewReports {
		since = s.now()
	}
	return s.authorizeSince(ctx, c, reportID, need, since)
}

// authorizeSince is Authorize with cached data of the target that is not older than since.
func (s *Service) authorizeSince(ctx context.Context, c *permission.Caller, reportID, need string, since time.Time) (*Authorized, error) {
	stored, err := s.reports.Find(ctx, reportID)
	if err != nil {
		return nil, err
	}
	if err := permitted(c, stored, permission.ViewReports); err != nil {
		return nil, err
	}
	targetErr, err := s.refreshScope(target.NotBefore(ctx, since), stored)
	if err != nil {
		return nil, err
	}
	if err := permitted(c, stored, need); err != nil {
		return nil, err
	}
	return &Authorized{Caller: c, Report: stored, targetErr: targetErr, since: since}, nil
}

// permitted is Authorize against the stored scope.
func permitted(c *permission.Caller, s *Stored, need string) error {
	if s == nil || !allows(c, s, permission.ViewReports) {
		return domain.NotFound()
	}
	if need != "" && !allows(c, s, need) {
		return domain.Errorf(domain.CodeForbidden, "You need the permission %s for this report.", need)
	}
	return nil
}

// allows reports whether the caller holds the permission for the report, and Blind does not hide it.
func allows(c *permission.Caller, s *Stored, need string) bool {
	return !c.Blind.Hides(s.Target.PluginID, s.Target.Type, s.Target.ID) &&
		c.Moderator.Covers(s.Target.PluginID, s.Target.PermissionModule, need, domain.OrEmpty(s.Scope))
}

// refreshScope reads the target's present scope and stores it if it changed. The stored scope stays
// if the target is deleted, its type is no longer registered, or its plugin fails; targetErr is
// that failure.
func (s *Service) refreshScope(ctx context.Context, stored *Stored) (targetErr, err error) {
	def := s.targets.Find(stored.Target.PluginID, stored.Target.Type)
	if def == nil || def.ScopeFamily == "" {
		return nil, nil
	}
	id, exists, err := def.PresentScope(ctx, stored.Target.ID)
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

// tolerate passes a plugin's read failure to OnTargetError. It returns err only if the request has
// ended: a failing plugin must not make a committed command look failed.
func (s *Service) tolerate(ctx context.Context, t report.Target, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if s.OnTargetError != nil {
		s.OnTargetError(ctx, fmt.Errorf("read target %s %s: %w", t.Type, t.ID, err))
	}
	return nil
}
