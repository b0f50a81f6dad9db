// Package target holds report-target definitions, which declare what can be reported, the
// actions that moderators may take on targets, and the registry of definitions.
package target

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/snapshot"
)

// Definition is a kind of content that members can report. Its functions are called outside
// of transactions, with a deadline, and must be safe for concurrent use. Only the Run of an
// action works inside the report's transaction.
type Definition struct {
	PluginID         string
	Type             string // stable, dotted: `forum.post`
	Label            string // translation key, an ICU plural called with count 1
	PermissionModule string

	// DefaultLocale is the locale to capture if the reporter asks for none. "" means the
	// default of the service.
	DefaultLocale string

	// ParseID validates an id from a client before it is used for anything, and returns
	// its canonical form, or false.
	ParseID func(value string) (id string, ok bool)
	// Capture returns the body of the snapshot as the reporter may read it, or nil if the
	// reporter cannot read the target.
	Capture func(ctx context.Context, r CaptureRequest) (*snapshot.Capture, error)
	// CaptureQuery returns Capture as a query, which does not depend on the reporter. Nil means
	// that Capture is no query. Whoever cannot run the query calls Capture.
	CaptureQuery func(r CaptureRequest) *Query
	// ReadCapture reads a capture that the content's platform sends with a request, in the
	// form of its answers, and returns its faults. Nil means that none can be sent.
	ReadCapture func(raw []byte, locale string) (*snapshot.Capture, []domain.Issue)
	// Current returns the present state of the target, or nil once it is deleted.
	Current func(ctx context.Context, id, locale string) (*State, error)

	// ScopeFamily is "" for a target without scope.
	ScopeFamily string
	// ResolveScope returns the resource that the target is in now, or "" for none. exists
	// is false once the target is deleted. It is required if ScopeFamily is set.
	ResolveScope func(ctx context.Context, id string) (resource string, exists bool, err error)

	// Timeout bounds each read; 0 means the default of five seconds.
	Timeout time.Duration

	// Actions are listed in the order in which moderators see them.
	Actions []Action
}

// CaptureRequest is what to capture, and for whom.
type CaptureRequest struct {
	TargetID   string
	Locale     string // as requested
	ReporterID string
}

// State is the present state of a target.
type State struct {
	Hidden bool   `json:"hidden"`
	URL    string `json:"url"`
	// Actions says which actions content that lives elsewhere offers now.
	Actions map[string]bool `json:"-"`
}

// DefaultTimeout bounds each read of a target that sets no Timeout.
const DefaultTimeout = 5 * time.Second

// ReadTimeout bounds each read of the target.
func (d *Definition) ReadTimeout() time.Duration {
	if d.Timeout > 0 {
		return d.Timeout
	}
	return DefaultTimeout
}

// Action is something that moderators can do to a target from a report.
type Action struct {
	Name       string // `hide` or `unhide`
	Permission string
	// Undo names the action that takes this one back, or is "". Unhide undoes hide.
	Undo      string
	Available func(State) bool
	// Run works inside the report's transaction, which it can neither commit nor roll
	// back. An error or a panic rolls back the whole command, and nothing is recorded.
	Run func(ctx context.Context, r ActionRequest) (ActionResult, error)
	// Do, instead of Run, is for content that lives elsewhere: the command records the
	// request, and a task calls Do after the commit until it returns no error.
	Do func(ctx context.Context, r RemoteRequest) (RemoteResult, error)
}

// ActionRequest is the input of an action.
type ActionRequest struct {
	ActorID  string
	TargetID string
	At       time.Time
	Tx       pgx.Tx
}

// ActionResult is the outcome of an action.
type ActionResult struct {
	Changed bool     // if false, nothing is recorded
	Events  []Event  // public events of the plugin, published with those of the report
	Effects []Effect // durable tasks that run after the commit
}

// Event is a public event of the target's plugin, such as `content.forum.post.hidden`.
type Event struct {
	Name    string
	Payload any
}

// Effect is a task that runs at least once after the commit.
type Effect struct {
	Task    string
	Payload any
	// Outbound marks a task that calls out over the network.
	Outbound bool
	Attempts int // 0 means the default of the queue
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

// UndoOf returns the action that takes the named one back, or false if there is none.
func (d *Definition) UndoOf(name string) (Action, bool) {
	a, ok := d.Action(name)
	undo := a.Undo
	if ok && undo == "" && name == Hide {
		undo = Unhide
	}
	if undo == "" {
		return Action{}, false
	}
	return d.Action(undo)
}

// Undoes returns the name of the action that the named one takes back, or "".
func (d *Definition) Undoes(name string) string {
	for _, a := range d.Actions {
		if undo, ok := d.UndoOf(a.Name); ok && undo.Name == name {
			return a.Name
		}
	}
	return ""
}

// Noun returns the last part of the type for use in messages, such as `post` of `forum.post`.
func (d *Definition) Noun() string { return d.Type[strings.LastIndexByte(d.Type, '.')+1:] }
