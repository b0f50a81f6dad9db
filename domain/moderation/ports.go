// Package moderation holds the use cases, one file a command: load, authorise,
// decide, append. It declares what it needs of the log, the read models and the
// accounts; their packages implement it.
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

// ErrAccountGone is a change that refers to an account which was deleted while
// the command was under way: its caller's own, or an assignee's.
var ErrAccountGone error = domain.Errorf(domain.CodeUnauthorized, "This account was deleted.")

// Log appends to reports' streams. Each call is one transaction, retried as a
// whole on deadlock and serialization failure, so Decide may run more than once.
type Log interface {
	// Update locks the report's stream, then the decision's change is appended,
	// projected and published. It returns the state after it, NotFound or
	// ErrAccountGone.
	Update(ctx context.Context, ref Ref, actorID *string, decide Decide) (report.State, error)
	// File opens a report. It returns AlreadyReported while the reporter has an
	// open one for the target, RateLimited past report.FilingsPerHour and
	// ErrAccountGone.
	File(ctx context.Context, f Filing) (report.State, error)
	// CountAttempt counts a filing of any outcome and returns RateLimited past
	// report.AttemptsPerHour.
	CountAttempt(ctx context.Context, userID string, now time.Time) error
	// ReportsOf lists at most limit reports that refer to the account.
	ReportsOf(ctx context.Context, userID string, limit int) ([]string, error)
}

// Ref names the stream of a command, and a note of it for the commands on notes.
type Ref struct {
	ReportID string
	NoteID   string
}

// Loaded is what a command decides on, read under the stream's lock.
type Loaded struct {
	State report.State
	Note  *report.Note // the note of Ref; nil when the report has no such note
	Now   time.Time
}

// Decide makes a change of what was loaded. tx is for the run of a content
// action alone; it can neither be committed nor rolled back.
type Decide func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error)

// Change is what one command does; one without facts does nothing.
type Change struct {
	Facts    []report.Fact
	PluginID string          // whose events and effects these are
	Events   []target.Event  // public events of the target's own
	Effects  []target.Effect // durable tasks
}

// Filing is a report to open, wholly validated.
type Filing struct {
	Created report.Created
}

// Reports reads the read models.
type Reports interface {
	// Find reads a report with its stored present scope; nil when there is none.
	Find(ctx context.Context, id string) (*Stored, error)
	// Note reads a note of a report; nil when the report has none of that id.
	Note(ctx context.Context, reportID, noteID string) (*report.Note, error)
	// FirstTimeline reads the first page of a report's timeline.
	FirstTimeline(ctx context.Context, reportID string) (paging.Page[Entry], error)
	// SetScope stores a target's present scope, unless it is no longer stored as before.
	SetScope(ctx context.Context, t report.Target, before *scope.Resource, now scope.Resource) error
}

// Stored is a report as its row holds it.
type Stored struct {
	report.State
	Scope *scope.Resource // the target's present scope as stored; nil for an unscoped target

	Reporter, Assignee, Resolver *Person
	OpenReportsOnTarget          int
	FiledAnew                    bool // the reporter has another report of the target that is not done; Find's alone
}

// Person is an account as others see it.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Candidate is a moderator who may be able to manage a report.
type Candidate struct {
	Person
	Entry permission.Entry
}

// Staff reads moderator entries.
type Staff interface {
	// Moderators lists everybody who holds the permission in the module, in any
	// scope, by name; search matches the beginning of a word of the name. With an
	// id, at most that one.
	Moderators(ctx context.Context, plugin, module, permission, search, id string) ([]Candidate, error)
}
