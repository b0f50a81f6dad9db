package moderation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
)

// The bounds of second opinions.
const (
	// SecondTurn is how long a reviewer may take over a second opinion. Until then no other is offered to them.
	SecondTurn = 30 * time.Minute
	// secondAttempts bounds how many second opinions are skipped because their content moved out of the caller's
	// scopes.
	secondAttempts = 20
)

// Seconds assigns second opinions, one at a time per reviewer and never the same twice, and reads them.
type Seconds interface {
	// Take returns the user's turn or assigns one; nil if there is none for them.
	Take(ctx context.Context, view, manage permission.Coverage, userID string) (*Turn, error)
	// Turn returns a present or former turn of the user; nil if they had none.
	Turn(ctx context.Context, userID, secondID string) (*Turn, error)
	// EndTurn ends a turn and reports whether the user had it. tx may be nil.
	EndTurn(ctx context.Context, tx pgx.Tx, userID, secondID string) (bool, error)
	// Find reads a drawn second opinion, or returns NotFound.
	Find(ctx context.Context, id string) (StoredSecond, error)
	// Load reads the second opinion on a decision. The report's lock must be held.
	Load(ctx context.Context, tx pgx.Tx, reportID, decision string) (*StoredSecond, error)
}

// Turn is a decision that is assigned to somebody for a second opinion.
type Turn struct {
	SecondID, Decision, ReportID string
	Golden                       bool // its answer is known, and the report does not change
	DecidedAt, Until             time.Time

	others *StoredSecond // a drawn one, if the caller has no turn
}

// StoredSecond is a second opinion with the names of the people involved.
type StoredSecond struct {
	second.Second
	Names  [3]*string // of the first and second person and of who settled; nil for none, and if deleted
	Reason *string    // of the settlement; nil once erased
}

// seeing returns the caller without Blind, which hides the report under second opinion from them.
func seeing(c *permission.Caller) *permission.Caller {
	seeing := *c
	seeing.Blind = nil
	return &seeing
}

// Seen returns NotFound for a report that Blind hides from the caller, whatever their rights.
func (s *Service) Seen(ctx context.Context, c *permission.Caller, reportID string) error {
	if c.Blind == nil {
		return nil
	}
	stored, err := s.reports.Find(ctx, reportID)
	if err == nil && stored != nil && c.Blind.Hides(stored.Target.PluginID, stored.Target.Type, stored.Target.ID) {
		err = domain.NotFound()
	}
	return err
}

// NextSecond assigns the caller a decision of somebody else for a second opinion. It returns the same one until they
// have given it, and nil if there is none for them.
func (s *Service) NextSecond(ctx context.Context, c *permission.Caller) (*SecondTask, error) {
	c = seeing(c)
	for range secondAttempts {
		turn, err := s.Seconds.Take(ctx, c.Coverage(permission.ViewReports), c.Coverage(permission.ManageReports), c.UserID)
		if err != nil || turn == nil {
			return nil, err
		}
		task, err := s.viewTask(ctx, c, turn)
		if !errors.Is(err, domain.NotFound()) && !errors.Is(err, &domain.Error{Code: domain.CodeForbidden}) {
			return task, err
		}
		if _, err := s.Seconds.EndTurn(ctx, nil, c.UserID, turn.SecondID); err != nil { // the content has moved
			return nil, err
		}
	}
	return nil, nil
}

// AuthorizeTurn returns the caller's turn at a second opinion. A caller with the permission but without that turn gets
// one that DecideSecond refuses with the reason.
func (s *Service) AuthorizeTurn(ctx context.Context, c *permission.Caller, id string) (*Turn, error) {
	turn, err := s.Seconds.Turn(ctx, c.UserID, id)
	if err != nil {
		return nil, err
	}
	if turn == nil {
		drawn, _, err := s.AuthorizeSecond(ctx, c, id, permission.ManageReports)
		return &Turn{others: drawn}, err
	}
	_, err = s.Authorize(ctx, seeing(c), turn.ReportID, permission.ManageReports)
	return turn, err
}

// DecideSecond records the caller's own decision, and returns both decisions. The turn is from AuthorizeTurn.
func (s *Service) DecideSecond(ctx context.Context, c *permission.Caller, turn *Turn, resolution report.Resolution, cited *policy.Ref) (*SecondView, error) {
	if turn.others != nil {
		if _, err := turn.others.Decide(second.Verdict{By: &c.UserID}); err != nil {
			return nil, err
		}
		return nil, domain.Errorf(domain.CodeInvalidState, "Second opinions are given in turn: take the next one (POST …/moderation/next?kind=second).")
	}
	issues, _, err := s.resolveIssues(ctx, nil, &report.Resolve{Policy: cited}, "")
	if err := cmp.Or(err, domain.Invalid(issues...)); err != nil {
		return nil, err
	}
	var shown SecondView
	after, err := s.log.Update(ctx, Ref{ReportID: turn.ReportID}, &c.UserID, func(ctx context.Context, tx pgx.Tx, _ Loaded) (Change, error) {
		loaded, err := s.Seconds.Load(ctx, tx, turn.ReportID, turn.Decision)
		if err != nil {
			return Change{}, err
		}
		v := second.Verdict{By: &c.UserID, Resolution: resolution, Policy: cited}
		facts, err := loaded.Decide(v)
		if turn.Golden {
			facts, err = loaded.DecideGolden(turn.SecondID, v)
		}
		if err != nil {
			return Change{}, err
		}
		had, err := s.Seconds.EndTurn(ctx, tx, c.UserID, turn.SecondID)
		if err == nil && !had {
			err = domain.Errorf(domain.CodeInvalidState, "Your time for this second opinion is over. Take the next one.")
		}
		shown = viewAnswer(loaded, turn, v, c.Name, facts[0].(*report.SecondDecided).Agreed)
		return Change{Facts: facts}, err
	})
	if err != nil {
		return nil, err
	}
	shown.Second.At = domain.Time(after.UpdatedAt)
	return &shown, nil
}

// LeaveSecond ends the caller's turn. They never get the same one again.
func (s *Service) LeaveSecond(ctx context.Context, c *permission.Caller, id string) error {
	had, err := s.Seconds.EndTurn(ctx, nil, c.UserID, id)
	if err != nil || had {
		return err
	}
	if turn, err := s.Seconds.Turn(ctx, c.UserID, id); err != nil || turn != nil { // it is over
		return err
	}
	return domain.NotFound()
}

// Settlement is a third person's ruling on a disputed decision.
type Settlement struct {
	Stands bool
	Reason string
	Reopen bool // reopens the report, since its decision does not stand
}

// AuthorizeSecond is Authorize for the report of a drawn second opinion.
func (s *Service) AuthorizeSecond(ctx context.Context, c *permission.Caller, id, needed string) (*StoredSecond, *Authorized, error) {
	found, err := s.Seconds.Find(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	at, err := s.Authorize(ctx, c, found.ReportID, needed)
	return &found, at, err
}

// SettleSecond records whether a disputed decision stands. at and found come from AuthorizeSecond.
func (s *Service) SettleSecond(ctx context.Context, at *Authorized, found *StoredSecond, how Settlement) (*SecondView, error) {
	c := at.Caller
	if how.Reopen {
		if err := permitted(c, at.Report, permission.ManageReports); err != nil {
			return nil, err
		}
	}
	var shown SecondView
	after, err := s.log.Update(ctx, Ref{ReportID: found.ReportID}, &c.UserID, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		loaded, err := s.Seconds.Load(ctx, tx, found.ReportID, found.Decision)
		if err != nil {
			return Change{}, err
		}
		facts, err := loaded.Settle(c.UserID, how.Stands, how.Reason)
		if err != nil {
			return Change{}, err
		}
		if how.Reopen {
			if l.State.ResolvedAt == nil || !l.State.ResolvedAt.Equal(loaded.First.At) {
				return Change{}, domain.Errorf(domain.CodeInvalidState, "The decision was replaced or revoked meanwhile: settle without reopening.")
			}
			reopened, err := report.DecideReopen(l.State, c.UserID, how.Reason, l.State.Version)
			if err != nil {
				return Change{}, err
			}
			facts = append(facts, reopened...)
		}
		loaded.Settled, loaded.Names[2], loaded.Reason = &second.Settlement{By: &c.UserID, Stands: how.Stands}, &c.Name, &how.Reason
		shown = ViewSecond(loaded)
		return Change{Facts: facts}, nil
	})
	if err != nil {
		return nil, err
	}
	shown.Settled.At = domain.Time(after.UpdatedAt)
	return &shown, nil
}
