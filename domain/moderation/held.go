package moderation

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// HeldDecisions reads decisions that need a second person's approval.
type HeldDecisions interface {
	// HeldReport returns the first report of a present or former held decision, or NotFound.
	HeldReport(ctx context.Context, heldID string) (string, error)
	// HeldInLog reads a report's held decision from its events, as of the transaction; nil if it has none. The words
	// are nil if there are none or they were erased.
	HeldInLog(ctx context.Context, tx pgx.Tx, reportID string) (*report.HeldDecision, *report.ResolvedWords, error)
	// HeldUntil lists at most limit reports with an expired held decision, by id, with ids after after; "" means from
	// the first.
	HeldUntil(ctx context.Context, now time.Time, after string, limit int) ([]string, error)
}

// hold stores a decision for approval by a second person. state is the target's, if the decision has an action.
func (s *Service) hold(ctx context.Context, a *Authorized, h report.Hold, state *target.State, expectedVersion int) (*Report, error) {
	r, err := s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		return a.hold(l, h, state, expectedVersion)
	})
	if err != nil {
		return nil, err
	}
	r.Holds = true
	return r, nil
}

// hold returns the change that holds a decision on the loaded report. Its action, if any, must be possible now.
func (a *Authorized) hold(l Loaded, h report.Hold, state *target.State, expectedVersion int) (Change, error) {
	facts, err := report.DecideHold(l.State, a.Caller.UserID, h, expectedVersion, l.Now)
	if err == nil && h.Action != "" {
		if a.action.Do != nil {
			err = l.State.CheckNoAction()
		}
		if err == nil {
			err = a.fits(state)
		}
	}
	return Change{Facts: facts}, err
}

// AuthorizeHeld is Authorize for the report of a held decision, with the permission to release it. It returns
// OwnDecision for the person who made it.
func (s *Service) AuthorizeHeld(ctx context.Context, c *permission.Caller, heldID string) (*Authorized, error) {
	reportID, err := s.reports.HeldReport(ctx, heldID)
	if err != nil {
		return nil, err
	}
	a, err := s.authorizeSince(ctx, c, reportID, "", s.now())
	if err != nil {
		return nil, err
	}
	if h := a.Report.HeldDecision; h != nil && h.ID == heldID && h.By == c.UserID {
		return nil, domain.Errorf(domain.CodeOwnDecision, "You made this decision, so somebody else must release it.")
	}
	return a, permitted(c, a.Report, permission.Approve)
}

// Release is the answer of a second person to a held decision.
type Release struct {
	HeldID   string
	Reason   *string
	Expected int // version of its first report
}

// Approve carries out a held decision in the name of the person who made it. If that is no longer possible, it changes
// nothing.
func (s *Service) Approve(ctx context.Context, a *Authorized, r Release) (*Report, error) {
	h := a.Report.HeldDecision
	if h == nil || h.ID != r.HeldID {
		return s.Reject(ctx, a, r) // which says so
	}
	p, err := s.proposed(ctx, a, h)
	if err != nil {
		return nil, s.withCurrent(ctx, a, err)
	}
	_, err = s.log.UpdateAll(ctx, h.All(a.Report.ID), &h.By, func(ctx context.Context, tx pgx.Tx, loaded []Loaded) ([]Change, error) {
		return eachHeld(a, loaded, r.Expected, func(l Loaded, version int) (Change, error) { return s.approve(ctx, tx, a, p, l, r, version) })
	})
	if errors.Is(err, ErrAccountGone) {
		err = impossible("the account of who made it was deleted")
	}
	if err != nil {
		return nil, s.withCurrent(ctx, a, err)
	}
	return s.View(ctx, a)
}

// Reject ends a held decision without carrying it out.
func (s *Service) Reject(ctx context.Context, a *Authorized, r Release) (*Report, error) {
	ids := []string{a.Report.ID}
	if h := a.Report.HeldDecision; h != nil {
		ids = h.All(a.Report.ID)
	}
	_, err := s.log.UpdateAll(ctx, ids, &a.Caller.UserID, func(_ context.Context, _ pgx.Tx, loaded []Loaded) ([]Change, error) {
		return eachHeld(a, loaded, r.Expected, func(l Loaded, version int) (Change, error) {
			facts, err := report.DecideRelease(l.State, r.HeldID, a.Caller.UserID, false, r.Reason, version, l.Now)
			return Change{Facts: facts}, err
		})
	})
	if err != nil {
		return nil, s.withCurrent(ctx, a, err)
	}
	return s.View(ctx, a)
}

// eachHeld returns the changes of the reports that one held decision covers. The first is the authorized one;
// expectedVersion is its version.
func eachHeld(a *Authorized, loaded []Loaded, expectedVersion int, decide func(l Loaded, version int) (Change, error)) ([]Change, error) {
	return changeEach(loaded, func(l Loaded) (Change, error) {
		if l.State.ID == a.Report.ID {
			return decide(l, expectedVersion)
		}
		return decide(l, l.State.Version)
	})
}

// proposal is a held decision that is about to be carried out, with its maker's present permissions.
type proposal struct {
	maker   *Authorized
	state   *target.State   // of the content, if there is an action
	resolve *report.Resolve // without words; nil for an action alone
}

// proposed checks that the maker of a held decision may still make it, and returns it. Else its error says why not.
func (s *Service) proposed(ctx context.Context, a *Authorized, h *report.HeldDecision) (p proposal, err error) {
	t := a.Report.Target
	makers, err := s.staff.Moderators(ctx, t.PluginID, t.PermissionModule, permission.ManageReports, "", h.By)
	if err != nil {
		return p, err
	}
	caller := &permission.Caller{UserID: h.By}
	for _, m := range makers {
		caller.Moderator = &m.Entry
	}
	p.maker = &Authorized{Caller: caller, Report: a.Report, targetErr: a.targetErr, since: a.since}
	if err := permitted(caller, a.Report, permission.ManageReports); err != nil {
		return p, impossible("who made it may no longer decide on this report")
	}
	if h.Action != "" {
		if p.maker.action, p.maker.undoes, err = s.permittedAction(caller, a.Report, h.Action); err != nil {
			return p, impossible("who made it may no longer take the action, or the content no longer has it")
		}
		if p.state, err = s.stateForAction(ctx, p.maker); err != nil {
			return p, err
		}
	}
	if h.Resolution == nil {
		return p, nil
	}
	p.resolve = &report.Resolve{Resolution: *h.Resolution, Share: h.Shared, Policy: h.Policy, ReleasedBy: a.Caller.UserID}
	for _, m := range h.Measures {
		if m.Until != nil && !m.Until.After(s.now()) {
			return p, impossible("a measure of it would have ended by now")
		}
		p.resolve.Measures = append(p.resolve.Measures, report.MeasureImposed{Author: measure.Author{ID: m.Author.ID}, Kind: m.Kind, Until: m.Until})
	}
	if len(h.Reports) > 1 {
		p.resolve.DecisionID = uuid.Must(uuid.NewV7()).String()
	}
	err = s.completeResolve(ctx, p.maker, p.resolve, "")
	switch domain.ErrorCode(err) {
	case domain.CodeValidationFailed:
		err = impossible("its policy is no longer in force, or its measures are no longer offered")
	case domain.CodeForbidden:
		err = impossible("who made it may no longer impose its measures")
	}
	return p, err
}

// impossible is the error of approving a decision that can no longer be carried out.
func impossible(why string) error {
	return domain.Errorf(domain.CodeInvalidState, "This decision is no longer possible, since %s. Reject it, or let it lapse.", why)
}

// approve returns the change that releases a held decision and carries it out on one of its reports.
func (s *Service) approve(ctx context.Context, tx pgx.Tx, a *Authorized, p proposal, l Loaded, r Release, version int) (Change, error) {
	released, err := report.DecideRelease(l.State, r.HeldID, a.Caller.UserID, true, r.Reason, version, l.Now)
	if err != nil {
		return Change{}, err
	}
	h := l.State.HeldDecision
	logged, words, err := s.reports.HeldInLog(ctx, tx, l.State.ID)
	if err != nil {
		return Change{}, err
	}
	if !reflect.DeepEqual(h, logged) { // a row that was edited by SQL must not be signed
		return Change{}, fmt.Errorf("report %s: its row holds another decision than the log; run docket projections verify", l.State.ID)
	}
	first := h.First(l.State.ID)
	var resolve *report.Resolve
	if p.resolve != nil {
		c := *p.resolve
		if !first {
			c.Measures = nil
		}
		if words != nil {
			c.Explanation, c.Reasons = words.Explanation, words.Reasons
		}
		if h.Explained && c.Explanation == nil || h.Reasoned && c.Reasons == nil {
			return Change{}, impossible("its words were erased")
		}
		resolve = &c
	}
	l.State.HeldDecision = nil
	return p.maker.decide(ctx, tx, l, released, h.Action != "" && first, p.state, resolve, l.State.Version)
}

// Releasers lists who could release a held decision of the caller on the report, ordered by name.
func (s *Service) Releasers(ctx context.Context, a *Authorized, search string) ([]Person, error) {
	t := a.Report.Target
	found, err := s.staff.Moderators(ctx, t.PluginID, t.PermissionModule, permission.Approve, search, "")
	return releasers(found, a.Report, a.Caller.UserID), err
}

// releasers returns those moderators who can release a held decision of the user, ordered by name.
func releasers(found []Candidate, r *Stored, userID string) []Person {
	return slices.DeleteFunc(able(found, r, permission.Approve), func(p Person) bool { return !mayRelease(r, userID, p.ID) })
}

// mayRelease reports whether nothing but a missing permission can keep somebody from approving a held decision of the user:
// nobody approves their own, or one that replaces a decision of theirs whose appeal is open.
func mayRelease(r *Stored, userID, approver string) bool {
	return approver != userID && report.CheckReplacement(r.State, approver) == nil
}
