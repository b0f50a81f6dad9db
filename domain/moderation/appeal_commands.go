package moderation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// Appeals reads appeals and the decisions that concern an account.
type Appeals interface {
	// Appeal reads an appeal, or returns NotFound.
	Appeal(ctx context.Context, id string) (StoredAppeal, error)
	// Concern reads a report whose decision affects the account, with its snapshot. It returns
	// NotFound for any other.
	Concern(ctx context.Context, userID, reportID string) (*Concern, error)
}

// StoredAppeal is an appeal with its accounts, and its texts from the log.
type StoredAppeal struct {
	report.Appeal
	Appellant, Decider *Person
	Text, Reply        *string // nil if there is none or it was erased
}

// Concern is a report as it may be shown to an account affected by its decision.
type Concern struct {
	report.State
	Role    report.Role
	URL     string         // of the content, at capture
	Appeals []StoredAppeal // by the account
}

// Appeal appeals the present decision for the caller and returns the appeal's id. It returns
// NotFound if the decision does not affect the caller.
func (s *Service) Appeal(ctx context.Context, c *permission.Caller, reportID, text string) (string, error) {
	concern, err := s.reports.Concern(ctx, c.UserID, reportID)
	if err != nil {
		return "", err
	}
	reported := func(st report.State) bool { return st.ReporterID != nil && *st.ReporterID == c.UserID }
	role := concern.Role
	if role == report.Author && reported(concern.State) && concern.Resolution != nil && !role.Appealable(*concern.Resolution) {
		role = report.Reporter // the author reported their own content
	}
	id := uuid.Must(uuid.NewV7()).String()
	_, err = s.log.Update(ctx, Ref{ReportID: reportID}, &c.UserID, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		if role == report.Reporter && !reported(l.State) {
			return Change{}, domain.NotFound()
		}
		facts, err := report.DecideAppeal(l.State, role, id, text, l.Now)
		return Change{Facts: facts}, err
	})
	return id, err
}

// AuthorizeAppeal is Authorize for the report of an appeal, with the permission to decide it.
func (s *Service) AuthorizeAppeal(ctx context.Context, c *permission.Caller, appealID string) (*Authorized, StoredAppeal, error) {
	appeal, err := s.reports.Appeal(ctx, appealID)
	if err != nil {
		return nil, appeal, err
	}
	a, err := s.Authorize(ctx, c, appeal.ReportID, permission.DecideAppeals)
	return a, appeal, err
}

// Uphold confirms the decision.
func (s *Service) Uphold(ctx context.Context, a *Authorized, appealID, reply string, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		appeal, err := report.CheckAppealDecision(st, appealID, a.Caller.UserID, expectedVersion)
		if err != nil {
			return nil, err
		}
		return report.DecideUphold(appeal, reply), nil
	})
}

// Overturn replaces the decision. If the author appealed, it also undoes the standing actions that can be undone now,
// in the same transaction; if an undo fails, nothing is changed.
func (s *Service) Overturn(ctx context.Context, a *Authorized, appealID, reply string, expectedVersion int) (*Report, error) {
	state, stateErr := s.stateForAction(ctx, a)
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		appeal, err := report.CheckAppealDecision(l.State, appealID, a.Caller.UserID, expectedVersion)
		if err != nil {
			return Change{}, err
		}
		if err := l.State.CheckNothingHeld(); err != nil {
			return Change{}, err
		}
		change := Change{PluginID: l.State.Target.PluginID}
		if appeal.By == report.Author {
			if err := l.State.CheckNoAction(); err != nil {
				return Change{}, err
			}
		}
		if appeal.By == report.Author && len(l.State.Standing) > 0 {
			if stateErr != nil {
				return Change{}, stateErr
			}
			if err := s.undo(ctx, tx, a.Caller.UserID, l, state, &change); err != nil {
				return Change{}, err
			}
		}
		change.Facts = report.DecideOverturn(l.State, appeal, reply, change.Facts, s.appealFor(report.NoViolation))
		return change, nil
	})
}

// undo undoes the actions that stand, the last one first, and adds that to the change. It does nothing if
// the content is deleted. It skips an action that has no undo available now; the action still stands
// unless it could be taken anew, or its undo changes nothing.
func (s *Service) undo(ctx context.Context, tx pgx.Tx, actorID string, l Loaded, state *target.State, change *Change) error {
	def := s.targets.Find(l.State.Target.PluginID, l.State.Target.Type)
	if def == nil || state == nil {
		return s.checkPlugin(ctx, tx, l.State.Target)
	}
	after := l
	after.State.Sequence++ // the event that decides the appeal precedes those of the undos
	for _, name := range slices.Backward(l.State.Standing) {
		undo, ok := def.UndoOf(name)
		if !ok {
			continue
		}
		unchanged := state.Actions[name]
		if state.Actions[undo.Name] {
			taken, err := take(ctx, tx, &actorID, after, undo, name, "", change)
			if err != nil {
				return err
			}
			unchanged = !taken
		}
		if unchanged {
			change.Facts = append(change.Facts, &report.ActionUnchanged{Action: undo.Name, Undoes: name})
		}
	}
	return nil
}

// appealFor returns how long a decision can be appealed, or 0 if it cannot.
func (s *Service) appealFor(r report.Resolution) time.Duration {
	if !report.Author.Appealable(r) && !report.Reporter.Appealable(r) {
		return 0
	}
	return s.AppealPeriod
}
