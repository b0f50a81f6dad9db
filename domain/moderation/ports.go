// Package moderation holds the use cases, one file per command: load, authorize, decide,
// append. It declares the interfaces of the log, the read models and the accounts that it
// needs; the packages that own these implement them.
//
// A command takes at most two round trips inside its transaction. The first begins it and locks and reads the report's
// row; the decision is pure; the second appends the events, updates the row, publishes and commits. Plugins are called
// before the transaction begins, so that a slow plugin never holds a lock. Other modules must not import it.
package moderation

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// ErrAccountGone means that the account of the caller or of the assignee was deleted while the command ran.
var ErrAccountGone error = domain.Errorf(domain.CodeUnauthorized, "This account was deleted.")

// Log appends events to the streams of reports. Each call is one transaction. It is
// retried as a whole on deadlock and serialization failure, so Decide may run more than
// once.
type Log interface {
	// Update locks the report's stream, calls decide, and appends, projects and
	// publishes its change. It returns the state after the change; its errors include
	// NotFound and ErrAccountGone.
	Update(ctx context.Context, ref Ref, actorID *string, decide Decide) (report.State, error)
	// UpdateAll is Update for several different reports in one transaction: all of them or none. What decide gets, and the
	// states, are sorted by id, not in the order given.
	UpdateAll(ctx context.Context, reportIDs []string, actorID *string, decide DecideAll) ([]report.State, error)
	// File opens a report. Its errors include already_reported if the reporter has an open report on the target,
	// rate_limited beyond report.Source.FilingsPerHour, and ErrAccountGone.
	File(ctx context.Context, f Filing) (report.State, error)
	// ReportsOf lists at most limit reports that refer to the account.
	ReportsOf(ctx context.Context, userID string, limit int) ([]string, error)
}

// Filer finds who files a report and counts the attempt. It then runs the query, if it is not nil, in the same round
// trip if it can, and stores the result in it. invalid is why the request will be refused, or nil. Such an attempt
// counts too, unless the request itself names the reporter: Filer then returns invalid at once.
type Filer func(ctx context.Context, capture *target.Query, invalid error) (*permission.Caller, report.Attempts, error)

// Ref identifies the stream of a command and, for commands on notes, the note.
type Ref struct {
	ReportID string
	NoteID   string
}

// Loaded is the input of a decision, read under the stream's lock.
type Loaded struct {
	State report.State
	Note  *report.Note // the note of Ref; nil if the report has no such note
	Now   time.Time
}

// Decide returns the change that a command makes. Only a content action may use tx; it can neither commit it nor roll
// it back.
type Decide func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error)

// DecideAll returns the change of each loaded report, in their order.
type DecideAll func(ctx context.Context, tx pgx.Tx, loaded []Loaded) ([]Change, error)

// Change is the outcome of one command. Without facts nothing is stored.
type Change struct {
	Facts    []report.Fact
	PluginID string          // the owner of Events and Effects
	Events   []target.Event  // public events of the target's own
	Effects  []target.Effect // durable tasks
}

// Filing is a validated report to open.
type Filing struct {
	// ID is the report's id; "" means a new one. A second filing with the same id fails with already_reported.
	ID      string
	Created report.Created
	// Deadlines sets Created.DueAt when the report is opened.
	Deadlines report.Deadlines
}

// Reports reads the read models.
type Reports interface {
	Appeals
	Cases
	HeldDecisions
	HiddenByRules
	Measures
	Signals
	// Find reads a report's state, without its snapshot, and its stored present scope; nil if
	// there is none.
	Find(ctx context.Context, id string) (*Stored, error)
	// FindWhole reads all of a report, or nil, and the first page of its timeline.
	FindWhole(ctx context.Context, id string) (*Stored, paging.Page[Entry], error)
	// LinkCounts counts the reports with these links, by key, without the given report.
	LinkCounts(ctx context.Context, c permission.Coverage, reportID string, links []int64) (map[int64]LinkCount, error)
	// Note reads a note of a report, or returns NotFound.
	Note(ctx context.Context, reportID, noteID string) (report.Note, error)
	// Overdue lists at most limit open reports that were due before a time and are not announced yet, the longest
	// overdue first.
	Overdue(ctx context.Context, now time.Time, limit int) ([]string, error)
	// LapsedClaims lists at most limit claimed reports after after, whose assignees have not touched them for this
	// time.
	LapsedClaims(ctx context.Context, untouched time.Duration, after LapsedClaim, limit int) ([]LapsedClaim, error)
	// SetScope stores a target's present scope if the stored scope is still before.
	SetScope(ctx context.Context, t report.Target, before *scope.Resource, now scope.Resource) error
}

// Cases reads and reserves cases. Rows of cases may lag behind the reports by a second; what
// these methods return does not.
type Cases interface {
	// ReleaseCase ends the reservation of a case.
	ReleaseCase(ctx context.Context, t CaseTarget) error
	// OpenReports lists at most limit open reports on a target, without those of muted people, the oldest first.
	OpenReports(ctx context.Context, t CaseTarget, limit int) ([]string, error)
	// CountOpenReports counts what OpenReports lists without a limit.
	CountOpenReports(ctx context.Context, t CaseTarget) (int, error)
	// Pass keeps the case from being the user's next for a day and counts the reason.
	Pass(ctx context.Context, t CaseTarget, userID string, reason PassReason) error
	// Park keeps the case from being anybody's next until a time; nil ends the parking.
	Park(ctx context.Context, t CaseTarget, by string, at time.Time, until *time.Time) error
	// FindAll reads reports by id, without their snapshots.
	FindAll(ctx context.Context, ids []string) (map[string]*Stored, error)
}

// Stored is a report as its row stores it.
type Stored struct {
	report.State
	Scope *scope.Resource // the target's present scope as stored; nil for an unscoped target

	Reporter, Assignee, Resolver *Person
	HeldBy                       *Person               // who made the held decision
	HeldWords                    *report.ResolvedWords // of the held decision; only FindWhole and lists of held decisions set them
	OpenReportsOnTarget          int
	Escalated                    EscalationDetails
	Authors                      []AuthorView        // of the content
	Notice                       *report.NoticeWords // of a notice whose words are not erased; only FindWhole sets it
	Flagger                      *string             // name of a trusted flagger's organisation, unless erased or the reporter is deleted; only FindWhole sets it
	HidingRule                   *string             // the rule that hides the content; only FindWhole sets it
	Pinners                      map[string]string   // names of the people who pinned notes, by id; only FindWhole sets it
	Refiled                      bool                // the reporter has another open report for the target; only FindWhole sets it
}

// EscalationDetails is what views show of an escalation beyond the state. It is empty without one.
type EscalationDetails struct {
	Names map[string]string `json:"names"` // of the accounts, by id
	Note  *string           `json:"note"`
}

// Person is an account as others see it.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PersonOf returns a person, or nil for the id "".
func PersonOf(id, name string) *Person {
	if id == "" {
		return nil
	}
	return &Person{ID: id, Name: name}
}

// Candidate is a moderator who may be able to manage a report.
type Candidate struct {
	Person
	Entry permission.Entry
}

// Staff reads moderator entries.
type Staff interface {
	// Moderators lists all holders of the permission in the module, in any scope, ordered by name. search matches
	// prefixes of words of the name. If id is not "", the result has at most that user.
	Moderators(ctx context.Context, plugin, module, permission, search, id string) ([]Candidate, error)
}
