// Package report is the aggregate: the state of a report, its events, and its rules.
// Decide functions turn a command into facts; Evolve folds events into the state. Both are
// pure: they read no clock, no database and no network.
//
// Events contain decisions. What people wrote is the evidence of an event, of which the log hashes a salted digest: the
// log stays verifiable when evidence is erased. Other modules must not import it.
package report

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
)

// Target identifies what was reported. It copies the type's registration at filing, so that a
// report survives the removal of its plugin.
type Target struct {
	PluginID         string          `json:"pluginId"`
	Type             string          `json:"targetType"`
	ID               string          `json:"targetId"`
	PermissionModule string          `json:"permissionModule"`
	Scope            *scope.Resource `json:"scope"` // at filing; nil for an unscoped target
}

// State is a report: the fold of its events. Version is the counter of optimistic
// concurrency control, Sequence the number of events.
type State struct {
	ID       string
	Status   Status
	Version  int
	Sequence int

	Target          Target
	Locale          string // as captured
	RequestedLocale string
	Reason          Reason
	Alleged         *policy.Ref // the rule that the reporter named; nil if they named none
	Source          Source
	Description     *string
	Snapshot        json.RawMessage // nil once erased; no Decide function reads it
	Title           string          // the snapshot's
	Excerpt         string          // at most snapshot.MaxExcerpt characters of the snapshot's text
	ReporterName    *string         // at filing, for search

	ReporterID *string
	AssigneeID *string
	ResolverID *string

	Resolution  *Resolution
	Explanation *string
	Shared      bool // the explanation goes to the reporter
	// Reasons are the statement of reasons to the author, a JSON string or a document; nil once erased. No Decide
	// function reads them.
	Reasons  json.RawMessage
	Decision *Decision // nil unless the report is done and its decision has such details
	Standing []string  // actions that were taken and not undone
	Measures []Measure // on the content's authors, in the order in which they were imposed

	Signals []signal.Scored // about the content; no list shows them
	Rules   []MatchAt       // that matched, in order
	// HiddenBy is the rule that hid the content because of this report; "" if none did, or if somebody has hidden or
	// unhidden it through this report since then.
	HiddenBy string

	Pins      []Pin // including expired ones, until another is made
	NoteCount int   // notes that are not deleted
	Erased    bool  // some of its words were erased
	Muted     bool  // its reporter was muted when they filed it

	Escalation *Escalation // nil if the report is not escalated

	Pending []PendingAction // requests to the content's platform that have no outcome yet

	HeldDecision *HeldDecision // the held decision; nil if there is none

	DueAt   *time.Time // when it should be decided; nil without a deadline
	Overdue bool       // it was still open at DueAt, which was announced

	CreatedAt  time.Time
	UpdatedAt  time.Time
	ResolvedAt *time.Time
}

// Held reports whether somebody is working on the report. A done report still names its assignee,
// who no longer counts.
func (s *State) Held() bool { return s.Status == InProgress && s.AssigneeID != nil }

// HeldBy reports whether the user is working on the report.
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

// NoteKind is the format of a note.
type NoteKind string

// The kinds of notes.
const (
	TextNote     NoteKind = "text"
	RichTextNote NoteKind = "richText"
)

// Decision holds the details of the present decision other than its resolution and resolver.
type Decision struct {
	Sequence  int         `json:"sequence"`     // of its event
	ID        string      `json:"id,omitempty"` // see Resolved
	Policy    *policy.Ref `json:"policy"`       // the policy that it cites; nil if none
	Reasoned  bool        `json:"reasoned"`     // reasons were given to the author
	DecidedAt time.Time   `json:"decidedAt"`
	// ReleasedBy is the account that approved the decision; "" if none was needed, or if the account is deleted.
	ReleasedBy string `json:"releasedBy,omitempty"`
	// AppealableUntil is until when the decision can be appealed; nil if it cannot.
	AppealableUntil *time.Time `json:"appealableUntil"`
	Appeals         []Appeal   `json:"appeals,omitempty"` // at most one of each role
	// Makers are the accounts that made earlier decisions with the same outcome whose appeal is open.
	Makers []string `json:"makers,omitempty"`
}

// MadeBy reports whether the user made or approved the present decision, or an appealed one with
// the same outcome that it replaced.
func (s *State) MadeBy(userID string) bool {
	return same(s.ResolverID, &userID) ||
		s.Decision != nil && (s.Decision.ReleasedBy == userID || slices.Contains(s.Decision.Makers, userID))
}

func (s *State) openAppeals() []Appeal {
	if s.Decision == nil {
		return nil
	}
	return domain.Filter(s.Decision.Appeals, func(a Appeal) bool { return a.Status == AppealOpen })
}
