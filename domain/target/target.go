// Package target holds report targets: what can be reported, and the actions that moderators
// may take on it.
//
// A [Definition] says how Docket reads content, wherever that lives:
//
//	target.Definition{
//		Type: "photos.photo", Label: "photos.photo", PermissionModule: "photos",
//		ParseID: content.KeyUUID.Parse,
//		Capture: capture, // the photo as the reporter sees it
//		Current: current, // as it is now; nil once it is deleted
//		Actions: []target.Action{
//			{Name: target.Hide, Permission: "can_hide", Available: shown, Run: hide},
//			{Name: target.Unhide, Permission: "can_hide", Available: hidden, Run: unhide},
//		},
//	}
//
// Capture and Current are called outside of transactions, with a deadline. The Run of an
// [Action] writes through the transaction of the report: both change together or not at all.
//
//	func hide(ctx context.Context, r target.ActionRequest) (target.ActionResult, error) {
//		tag, err := r.Tx.Exec(ctx, `UPDATE photos SET hidden_at = $2 WHERE id = $1 AND hidden_at IS NULL`, r.TargetID, r.At)
//		return target.ActionResult{Changed: tag.RowsAffected() > 0, Effects: []target.Effect{{Task: "purge-cache", Payload: r.TargetID}}}, err
//	}
//
// An [Effect] is a task of the plugin that runs after the commit, at least once. With
// ScopeFamily and ResolveScope, moderators can be limited to some of the content; see package scope.
//
// Content over one table needs none of this: it is declared as a content.Type or in a manifest.
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
	PluginID string
	Type     string // stable, dotted: `forum.post`
	Label    string // translation key, an ICU plural called with count 1
	// PermissionModule has the permissions can_view_reports, can_manage_reports and others for work on reports and, if
	// there is an action Hide, can_view_hidden and can_hide.
	PermissionModule string

	// ContentType is the content's type in the EU's transparency database, such as "text" or "image"; "" if decisions
	// about it need no statements of reasons. See DOCKET_STATEMENTS_URL.
	ContentType string

	// DefaultLocale is the locale to capture if the reporter requests none. "" means the default of the service.
	DefaultLocale string

	// ParseID validates an id from a client before it is used for anything, and returns
	// its canonical form, or false. An id may have 1,024 bytes of UTF-8 without U+0000.
	ParseID func(value string) (id string, ok bool)
	// Capture returns the body of the snapshot as the reporter may read it, or nil if the
	// reporter cannot read the target.
	Capture func(ctx context.Context, r CaptureRequest) (*snapshot.Capture, error)
	// CaptureQuery returns Capture as a query, which does not depend on the reporter. Nil means that there is no such
	// query. Callers that cannot run the query call Capture.
	CaptureQuery func(r CaptureRequest) *Query
	// IDAt returns the id of the content at a public address, in a form of publicnotice.Candidates, or false. Nil means
	// that the type has no public addresses.
	IDAt func(address string) (id string, ok bool)
	// Resolve asks the plugin's platform which content of its types is at an address; targetType is "" if there is
	// none. Either all types of a plugin have the same one, or none has one.
	Resolve func(ctx context.Context, address string) (targetType, id string, err error)
	// ReadCapture parses a capture that the content's platform sends with a request, in the form of its responses, and
	// returns its faults. Nil means that none can be sent.
	ReadCapture func(raw []byte, locale string) (*snapshot.Capture, []domain.Issue)
	// Current returns the present state of the target, or nil once it is deleted.
	Current func(ctx context.Context, id, locale string) (*State, error)

	// Context returns the content around the target, as it is now, and the target itself; at most eight items are
	// shown. Nil means that there is none. Content of another scope must be left out.
	Context func(ctx context.Context, id, locale string) ([]ContextItem, error)

	// ScopeFamily is "" for a target without scope.
	ScopeFamily string
	// ResolveScope returns the target's present resource, or "" for none. exists is false if the target is deleted. It
	// is required if ScopeFamily is set.
	ResolveScope func(ctx context.Context, id string) (resource string, exists bool, err error)

	// Timeout bounds each read; 0 means the default of five seconds.
	Timeout time.Duration

	// Actions are in the order in which moderators see them.
	Actions []Action
	// People carries out measures on authors; with nil only warn is offered.
	People *People
}

// CaptureRequest says what to capture, and for whom.
type CaptureRequest struct {
	TargetID   string
	Locale     string // as requested
	ReporterID string // "" for a notice, whose sender may have no account
}

// State is the present state of a target.
type State struct {
	Hidden bool   `json:"hidden"`
	URL    string `json:"url"`
	// Actions says which actions are available now. Docket sets it.
	Actions map[string]bool `json:"-"`
}

// DefaultTimeout bounds each read of a target that sets no Timeout.
const DefaultTimeout = 5 * time.Second

// ReadTimeout returns the bound of each read of the target.
func (d *Definition) ReadTimeout() time.Duration {
	if d.Timeout > 0 {
		return d.Timeout
	}
	return DefaultTimeout
}

// Action is something that moderators can do to a target from a report.
type Action struct {
	Name       string // `hide` or `unhide`
	Permission string // of the PermissionModule, such as can_hide; generated
	// Undo names the action that undoes this one, or is "". For Hide it is Unhide by default.
	Undo string
	// SecondKey makes a moderator's use of the action wait until a second person releases it.
	SecondKey bool
	Available func(State) bool
	// Run works inside the report's transaction, which it can neither commit nor roll
	// back. An error or a panic rolls back the whole command, and nothing is recorded.
	Run func(ctx context.Context, r ActionRequest) (ActionResult, error)
	// Do replaces Run for content that lives elsewhere: the command records the request, and a task calls Do after the
	// commit, at most RemoteAttempts times in about a day. Then the action has failed.
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

// Event is a public event of the target's plugin, such as `content.forum.post.hidden`: words of letters, digits,
// `_` and `-` between dots, of which the first is `content`. The event of Hide has the name event.Hidden and the
// payload event.Content. Docket publishes none of these itself. Another name, or a payload of more than 256 KB of JSON,
// fails the action.
type Event struct {
	Name    string
	Payload any
}

// Effect is a task that runs at least once after the commit, as plugin.Task says. An effect whose task the plugin does not
// declare fails the action.
type Effect struct {
	Task    string
	Payload any
	// Outbound marks a task that makes network calls.
	Outbound bool
	Attempts int // 0 means twelve, in three to four hours
}

// Action returns the action of that name, or false. A nil Definition, of an unregistered type, has none.
func (d *Definition) Action(name string) (Action, bool) {
	if d == nil {
		return Action{}, false
	}
	for _, a := range d.Actions {
		if a.Name == name {
			return a, true
		}
	}
	return Action{}, false
}

// UndoOf returns the action that undoes the named one, or false if there is none.
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

// Undoes returns the name of the action that the named one undoes, or "".
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

// The names of the actions that a target can have.
const (
	Hide   = "hide"
	Unhide = "unhide"
)
