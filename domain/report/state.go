// Package report is the aggregate: what a report is, what may happen to it and
// what has. Decide functions turn a command into facts, Evolve folds facts into
// the state; neither asks a clock, a database or the network.
package report

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain/scope"
)

// Status is where a report stands (spec section 3).
type Status string

// The statuses of spec section 3.
const (
	New        Status = "new"
	InProgress Status = "in_progress"
	Done       Status = "done"
)

// Statuses lists every status in the order of the work.
var Statuses = []Status{New, InProgress, Done}

// Reason says why somebody reported (spec 2.6).
type Reason string

// The reasons of spec 2.6.
const (
	Spam          Reason = "spam"
	Abusive       Reason = "abusive"
	RuleViolation Reason = "rule_violation"
	Other         Reason = "other"
)

// Reasons lists every reason.
var Reasons = []Reason{Spam, Abusive, RuleViolation, Other}

// Resolution says how a report ended (spec 2.6).
type Resolution string

// The resolutions of spec 2.6.
const (
	NoViolation Resolution = "no_violation"
	ActionTaken Resolution = "action_taken"
	Duplicate   Resolution = "duplicate"
)

// Resolutions lists every resolution.
var Resolutions = []Resolution{NoViolation, ActionTaken, Duplicate}

// Target names what was reported, with what its registration said at filing, so
// that a report outlives the plugin.
type Target struct {
	PluginID         string          `json:"pluginId"`
	Type             string          `json:"targetType"`
	ID               string          `json:"targetId"`
	PermissionModule string          `json:"permissionModule"`
	Scope            *scope.Resource `json:"scope"` // at filing; nil for an unscoped target
}

// State is a report: the fold of its events. Version is the counter of
// optimistic concurrency, Sequence the number of events.
type State struct {
	ID       string
	Status   Status
	Version  int
	Sequence int

	Target          Target
	Locale          string // as captured
	RequestedLocale string
	Reason          Reason
	Description     *string
	Snapshot        json.RawMessage // nil once erased; never read by a decision
	Title           string          // the snapshot's
	Excerpt         string          // at most MaxExcerpt characters of the snapshot's text
	ReporterName    *string         // at filing, for search

	ReporterID *string
	AssigneeID *string
	ResolverID *string

	Resolution  *Resolution
	Explanation *string
	Shared      bool // the explanation goes to the reporter
	NoteCount   int  // notes that are not deleted
	Erased      bool // some of its words are gone

	CreatedAt  time.Time
	UpdatedAt  time.Time
	ResolvedAt *time.Time
}

// Held tells whether somebody works the report now. The assignee of a done
// report is a record and no hold (contract 3.2).
func (s *State) Held() bool { return s.Status == InProgress && s.AssigneeID != nil }

// HeldBy tells whether that user works the report now.
func (s *State) HeldBy(userID string) bool { return s.Held() && *s.AssigneeID == userID }

// Note is a moderator's note as it is now.
type Note struct {
	ID        string
	ReportID  string
	AuthorID  *string
	Kind      NoteKind
	Body      json.RawMessage // a JSON string or a rich-text document; nil once deleted or erased
	Erased    bool
	CreatedAt time.Time
	EditedAt  *time.Time
	DeletedAt *time.Time
}

// NoteKind tells plain text from rich text.
type NoteKind string

// The kinds of contract 3.4.
const (
	TextNote     NoteKind = "text"
	RichTextNote NoteKind = "richText"
)
