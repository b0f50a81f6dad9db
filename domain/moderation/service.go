package moderation

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// Service runs the use cases. It is safe for concurrent use. Each is in a file of its own or of its
// subject.
//
// Commands on a report, which Authorize, AuthorizeAction, AuthorizeHeld, AuthorizeNote, AuthorizeAppeal,
// AuthorizeMeasure or AuthorizeReturn permits:
//
//	Claim, Assign, Unassign              who works on it
//	Escalate, Return                     hand it to somebody else, and back
//	Resolve, Reopen                      its decision
//	 ResolveIssues                        the faults of one that depend on the content and what is in force
//	Act                                  an action on its content, such as hide
//	Approve, Reject                      a held decision, by a second person
//	AddNote, EditNote, DeleteNote        notes
//	PinNote                              pin a note
//	Uphold, Overturn                     an appeal of its decision
//	EndMeasure                           a measure on an author
//
// Commands of members:
//
//	File                                 open a report
//	FileNotice                           open a report from a notice by anybody
//	CheckNotice                          the faults of one that depend on the policies in force
//	Appeal                               appeal a decision
//
// Commands of platforms and of what classifies their content:
//
//	Signal, SignalTarget                 what a source says about content
//
// Commands on several reports:
//
//	Next, DecideCase                     take a case, decide all of it
//	PassCase, ParkCase                   leave a case to others, or until later
//	DecideSimilar                        decide look-alikes, one by one
//	CaseIssues, SimilarIssues            the faults of one that depend on the content and what is in force
//
// Commands of second opinions:
//
//	NextSecond, DecideSecond, LeaveSecond  decide again, without knowing the first decision
//	SettleSecond                           say whether a disputed decision stands
//	AuthorizeTurn, AuthorizeSecond         who may decide again, and who may settle it
//	Seen                                   whether a report is one that the caller decides again
//
// Commands that jobs and tasks run:
//
//	ReleaseLapsed                        reports that their assignees have not touched for too long
//	AnnounceOverdue                      reports past their deadline
//	LapseHeld                            decisions that nobody has released in time
//	EndMeasures                          measures past their end
//	SpreadSignals, SignalMissed          stored signals, for a target's open reports; for reports of older releases
//	MatchRules                           what automatic rules matched
//	DoRequested                          an action on content that lives elsewhere
//	DetachAccount                        a deleted account
//
// Queries:
//
//	View, Summarize                      a report, whole or in a list
//	ViewCase, ViewConcern                a case; a decision, for an account affected by it
//	Context, Translate                   the content around the reported one; its translation
//	Assignees, Releasers                 who can be assigned, who can release a decision
//	ViewHeld                             decisions that wait for a second person
//	Propose                              what the ladder proposes for its authors
//	Now                                  the service's time
type Service struct {
	log     Log
	reports Reports
	staff   Staff
	targets *registry.Targets
	now     func() time.Time
	locale  string

	// OnTargetError is called when a command or view continues without its target, because the target's plugin failed.
	// It may be nil. It must be set before the first use.
	OnTargetError func(context.Context, error)
	// Deadlines are those of new reports. It must be set before the first use.
	Deadlines report.Deadlines
	// ClaimTimeout is how long an assignee may leave a report untouched before it is released; 0 means for ever. It
	// must be set before the first use.
	ClaimTimeout time.Duration
	// Policies are those that decisions may cite; nil means none. It must be set before the first use.
	Policies Policies
	// Elsewhere returns the plugins that only other servers have; nil means that there are none. tx is nil outside of a
	// transaction. It must be set before the first use.
	Elsewhere func(ctx context.Context, tx pgx.Tx) (plugins []string, err error)
	// Handles reports whether a plugin of this server declares a task; nil means that every task is declared. It must
	// be set before the first use.
	Handles func(pluginID, task string) bool
	// Seconds assigns second opinions. It must be set before the first use.
	Seconds Seconds
	// AppealPeriod is how long decisions can be appealed; 0 means that they cannot. It must be set before the first
	// use.
	AppealPeriod time.Duration
	// Base is the address of this service, to which public addresses without a host are relative; nil means none. It
	// must be set before the first use.
	Base *url.URL
	// Translator translates reported content; nil means that there is none. It must be set before the first use.
	Translator Translator
}

// New returns a service. locale is used for members who request none.
func New(log Log, reports Reports, staff Staff, targets *registry.Targets, now func() time.Time, locale string) *Service {
	s := &Service{reports: reports, staff: staff, targets: targets, now: now, locale: locale}
	s.log = carryingLog{log, s}
	return s
}

// update runs a command and returns the report after it. Conflicts carry the current
// report as the caller sees it.
func (s *Service) update(ctx context.Context, a *Authorized, ref Ref, decide Decide) (*Report, error) {
	if _, err := s.log.Update(ctx, ref, &a.Caller.UserID, decide); err != nil {
		return nil, s.withCurrent(ctx, a, err)
	}
	return s.View(ctx, a)
}

// decide is update for a command that only needs the report's state.
func (s *Service) decide(ctx context.Context, a *Authorized, decide func(report.State) ([]report.Fact, error)) (*Report, error) {
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		facts, err := decide(l.State)
		return Change{Facts: facts}, err
	})
}

// append appends the events that a job decides on, without an actor. It skips a report that no longer exists.
func (s *Service) append(ctx context.Context, reportID string, decide func(Loaded) []report.Fact) error {
	_, err := s.log.Update(ctx, Ref{ReportID: reportID}, nil, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		return Change{Facts: decide(l)}, nil
	})
	if errors.Is(err, domain.NotFound()) {
		return nil
	}
	return err
}

// appendAll appends the events decided on each of several reports, in one transaction, and returns the states after
// them.
func (s *Service) appendAll(ctx context.Context, reportIDs []string, actorID *string, decide func(Loaded) ([]report.Fact, error)) ([]report.State, error) {
	return s.log.UpdateAll(ctx, reportIDs, actorID, func(_ context.Context, _ pgx.Tx, loaded []Loaded) ([]Change, error) {
		return changeEach(loaded, func(l Loaded) (Change, error) {
			facts, err := decide(l)
			return Change{Facts: facts}, err
		})
	})
}

// changeEach returns the change of each loaded report.
func changeEach(loaded []Loaded, decide func(Loaded) (Change, error)) ([]Change, error) {
	changes := make([]Change, len(loaded))
	for i, l := range loaded {
		var err error
		if changes[i], err = decide(l); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// withCurrent adds the current report to an error that includes it.
func (s *Service) withCurrent(ctx context.Context, a *Authorized, err error) error {
	var e *domain.Error
	if !errors.As(err, &e) || !carriesCurrent(e.Code) {
		return err
	}
	current, viewErr := s.View(ctx, a)
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

// Now returns the service's time.
func (s *Service) Now() time.Time { return s.now() }
