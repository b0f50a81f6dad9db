package report

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/statement"
)

// Type identifies a kind of event. The timeline shows it under the same name.
type Type string

// The types of events. Not all of them change the report's version: see countsAsChange. PublishedAs says
// which types have a public event.
const (
	CreatedType        Type = "created"
	AssignedType       Type = "assigned"
	NoteAddedType      Type = "note_added"
	NoteUpdatedType    Type = "note_updated"
	NoteDeletedType    Type = "note_deleted"
	ActionType         Type = "action"
	AppealedType       Type = "appealed"
	AppealDecidedType  Type = "appeal_decided"
	ResolvedType       Type = "resolved"
	ReopenedType       Type = "reopened"
	AccountRemovedType Type = "account_removed"
	EvidenceErasedType Type = "evidence_erased"
	OverdueType        Type = "overdue"

	// A request for an action on content that lives elsewhere, and its outcomes other than success, which is
	// ActionType. Only the request changes the version.
	ActionRequestedType Type = "action_requested"
	ActionUnchangedType Type = "action_unchanged"
	ActionFailedType    Type = "action_failed"

	MeasureImposedType Type = "measure_imposed"
	MeasureEndedType   Type = "measure_ended"

	// A request that a platform carries out a measure or ends it, and its outcomes. Only the request changes the
	// version.
	MeasurePendingType   Type = "measure_pending"
	MeasureConfirmedType Type = "measure_confirmed"
	MeasureFailedType    Type = "measure_failed"
)

// Fact is what happened in an event. It contains decisions only. What people wrote is its evidence, which is stored
// beside it and can be erased without breaking the log.
type Fact interface {
	EventType() Type
	// words points to the evidence of the fact; nil if a fact of its type has none.
	words() any
}

// Event is a fact at its place in a report's stream.
type Event struct {
	ID         string // UUIDv7; also the UUID of its message
	ReportID   string
	Sequence   int // starts at 1 in each report, without gaps
	Version    int // the report's version after it
	Type       Type
	ActorID    *string
	OccurredAt time.Time // UTC, microseconds, never backwards within a report
	Fact       Fact
	Erased     bool // it had evidence, which was erased
}

// Created is the first event of a report.
type Created struct {
	Target
	Locale          string `json:"locale"`
	RequestedLocale string `json:"requestedLocale"`
	Reason          Reason `json:"reason"`
	ReporterID      string `json:"reporterId"` // "" for a notice
	// DueAt is the report's deadline, if its reason has one.
	DueAt *time.Time `json:"dueAt,omitempty"`
	// Muted is set if the reporter was muted at filing.
	Muted bool `json:"muted,omitempty"`
	// Policy is the policy that the reporter says was violated, in the version in force then; nil if they named none.
	Policy *policy.Ref `json:"policy,omitempty"`
	// Source is how the report was filed; "" means FromMember.
	Source Source `json:"source,omitempty"`

	Words CreatedWords `json:"-"`
}

// CreatedWords is the evidence of Created.
type CreatedWords struct {
	Description  *string         `json:"description"`
	ReporterName string          `json:"reporterName"`
	Title        string          `json:"title"`   // the snapshot's
	Excerpt      string          `json:"excerpt"` // the excerpt of the content, at most snapshot.MaxExcerpt characters
	Notice       *NoticeWords    `json:"notice,omitempty"`
	Flagger      string          `json:"flagger,omitempty"` // the name of a trusted flagger's organisation
	Snapshot     json.RawMessage `json:"snapshot"`          // must be the last field, see encode
}

// NoticeWords are what the sender of a notice wrote besides the description.
type NoticeWords struct {
	Name     *string `json:"name"`
	Email    *string `json:"email"`
	Law      *string `json:"law"`
	URL      string  `json:"url"`
	Language string  `json:"language"` // to write to the sender in
}

// Assigned changes who works on the report, by claim, assign or unassign.
type Assigned struct {
	noWords
	Placed
	AssigneeID         *string `json:"assigneeId"`
	PreviousAssigneeID *string `json:"previousAssigneeId"`
	Claimed            bool    `json:"claimed"`
	// Lapsed is set if the report was released because its assignee had not touched it for too long.
	Lapsed bool `json:"lapsed,omitempty"`
}

// NoteAdded adds a note.
type NoteAdded struct {
	NoteID string    `json:"noteId"`
	Kind   NoteKind  `json:"kind"`
	Words  NoteWords `json:"-"`
}

// NoteUpdated replaces a note's text.
type NoteUpdated struct {
	NoteID string    `json:"noteId"`
	Kind   NoteKind  `json:"kind"`
	Words  NoteWords `json:"-"`
}

// NoteWords is the evidence of NoteAdded and NoteUpdated.
type NoteWords struct {
	Body json.RawMessage `json:"body"`
}

// NoteDeleted deletes a note, which stays in the timeline without its text.
type NoteDeleted struct {
	noWords
	NoteID string `json:"noteId"`
}

// ActionDone records that a moderator or a rule took an action on the content, such as hide.
type ActionDone struct {
	noWords
	Placed
	Action     string `json:"action"`
	PluginID   string `json:"pluginId"`
	TargetType string `json:"targetType"`
	TargetID   string `json:"targetId"`
	// Undoes is the action that this one undoes, or "".
	Undoes string `json:"undoes,omitempty"`
	// Requested is the sequence of the request whose outcome this is. It is 0 for an action that was run in the
	// report's transaction.
	Requested int `json:"requested,omitempty"`
	// Rule is the key of the rule that took the action, or whose action this one undoes; "" if neither.
	Rule string `json:"rule,omitempty"`
}

// Resolved records a decision on the report.
type Resolved struct {
	Placed
	Resolution Resolution  `json:"resolution"`
	Explained  bool        `json:"explained"`
	Shared     bool        `json:"shared"`
	Policy     *policy.Ref `json:"policy,omitempty"`
	Reasoned   bool        `json:"reasoned,omitempty"`
	// Ground is why the content violates the policy, from the policy's version; "" if it has none.
	Ground statement.Ground `json:"ground,omitempty"`
	// DecisionID is shared by decisions on several reports that were made together; else "".
	DecisionID string `json:"decisionId,omitempty"`
	// ReleasedBy is the account that approved the decision, if it needed a second person; else "".
	ReleasedBy string `json:"releasedBy,omitempty"`
	// AppealableUntil is until when the decision can be appealed; nil if it cannot.
	AppealableUntil *time.Time    `json:"appealableUntil,omitempty"`
	AppealFor       time.Duration `json:"-"` // it becomes AppealableUntil, from the time of the event; 0 leaves that as it is
	Words           ResolvedWords `json:"-"`
}

// ResolvedWords is the evidence of Resolved.
type ResolvedWords struct {
	Explanation *string         `json:"explanation"`
	Reasons     json.RawMessage `json:"reasons,omitempty"` // to the author: a JSON string or a document
}

// Reopened revokes a decision. It has no reason if the report was claimed or assigned while it was done.
type Reopened struct {
	Placed
	Reasoned bool          `json:"reasoned"`
	Words    ReopenedWords `json:"-"`
}

// ReopenedWords is the evidence of Reopened.
type ReopenedWords struct {
	Reason *string `json:"reason"`
}

// AccountRemoved records that an account to which the report refers was deleted.
type AccountRemoved struct {
	noWords
	UserID string `json:"userId"`
}

// EvidenceErased records that the evidence of these events was erased.
type EvidenceErased struct {
	noWords
	Sequences []int `json:"sequences"`
	// Authors are the ids of the authors in the snapshot, if it was erased. Releases before this field did not store
	// them.
	Authors []string `json:"authors,omitempty"`
}

// Overdue records, once, that the report was still open at its deadline.
type Overdue struct {
	noWords
	DueAt time.Time `json:"dueAt"`
}

// EventType implements Fact.
func (*Created) EventType() Type        { return CreatedType }
func (*Assigned) EventType() Type       { return AssignedType }
func (*NoteAdded) EventType() Type      { return NoteAddedType }
func (*NoteUpdated) EventType() Type    { return NoteUpdatedType }
func (*NoteDeleted) EventType() Type    { return NoteDeletedType }
func (*ActionDone) EventType() Type     { return ActionType }
func (*Resolved) EventType() Type       { return ResolvedType }
func (*Reopened) EventType() Type       { return ReopenedType }
func (*AccountRemoved) EventType() Type { return AccountRemovedType }
func (*EvidenceErased) EventType() Type { return EvidenceErasedType }
func (*Overdue) EventType() Type        { return OverdueType }

// noWords is embedded in facts that have no evidence.
type noWords struct{}

func (noWords) words() any { return nil }

// written reports whether the fact has evidence.
func written(f Fact) bool {
	words := f.words()
	return words != nil && !reflect.ValueOf(words).Elem().IsZero()
}

func (f *Created) words() any     { return &f.Words }
func (f *NoteAdded) words() any   { return &f.Words }
func (f *NoteUpdated) words() any { return &f.Words }
func (f *Resolved) words() any    { return &f.Words }
func (f *Reopened) words() any    { return &f.Words }
