// Package target holds what can be reported: report-target definitions
// (spec 2.5), the actions that moderators may take on them, and their registry.
package target

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/snapshot"
)

// Definition is a kind of thing that members can report. Its functions are
// called outside any transaction, with a deadline, and must be safe for
// concurrent use; only an action's Run works inside the report's transaction.
type Definition struct {
	PluginID         string
	Type             string // stable, dotted: `forum.post`
	Label            string // translation key, an ICU plural called with count 1
	PermissionModule string

	// DefaultLocale is what is captured for a reporter who asks for no locale; "" is the
	// service's, for a target that knows no languages.
	DefaultLocale string

	// ParseID validates an id from a client before anything reads it and
	// returns its canonical form, or false.
	ParseID func(value string) (id string, ok bool)
	// Capture returns the snapshot body as the reporter may read it, or nil
	// when the reporter cannot read the target.
	Capture func(ctx context.Context, r CaptureRequest) (*snapshot.Capture, error)
	// Current returns the present state, or nil once the target is deleted.
	Current func(ctx context.Context, id, locale string) (*State, error)

	// ScopeFamily is "" for a target without scope.
	ScopeFamily string
	// ResolveScope returns the resource the target is in now ("" for none);
	// exists is false once the target is deleted. Set when ScopeFamily is.
	ResolveScope func(ctx context.Context, id string) (resource string, exists bool, err error)

	// Actions in the order the ModCP shows them.
	Actions []Action
}

// CaptureRequest says what to capture, and for whom.
type CaptureRequest struct {
	TargetID   string
	Locale     string // as asked; "" for the default
	ReporterID string
}

// State is what a target is at present.
type State struct {
	Hidden bool   `json:"hidden"`
	URL    string `json:"url"`
}

// Action is something moderators may do to a target from a report.
type Action struct {
	Name       string // `hide` or `unhide`
	Permission string
	Available  func(State) bool
	// Run works inside the report's transaction, which it can neither commit
	// nor roll back. An error or a panic rolls the whole command back (spec 2.5).
	Run func(ctx context.Context, r ActionRequest) (ActionResult, error)
}

// ActionRequest is the call of an action.
type ActionRequest struct {
	ActorID  string
	TargetID string
	At       time.Time
	Tx       pgx.Tx
}

// ActionResult tells what an action did.
type ActionResult struct {
	Changed bool     // false: nothing is recorded
	Events  []Event  // public events of the target's own, sent with the report's
	Effects []Effect // durable tasks that run after the commit
}

// Event is a public event of the target's plugin, such as `content.forum.post.hidden`.
type Event struct {
	Name    string
	Payload any
}

// Effect is a task to run after the commit, at least once.
type Effect struct {
	Task    string
	Payload any
}

// Action returns the action of that name, or false.
func (d *Definition) Action(name string) (Action, bool) {
	for _, a := range d.Actions {
		if a.Name == name {
			return a, true
		}
	}
	return Action{}, false
}
