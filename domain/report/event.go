package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Type names a kind of event; the timeline shows it under the same name.
type Type string

// The types of contract 3.4. The last two are internal: they keep the version
// and have no public event.
const (
	CreatedType        Type = "created"
	AssignedType       Type = "assigned"
	NoteAddedType      Type = "note_added"
	NoteUpdatedType    Type = "note_updated"
	NoteDeletedType    Type = "note_deleted"
	ActionType         Type = "action"
	ResolvedType       Type = "resolved"
	ReopenedType       Type = "reopened"
	AccountRemovedType Type = "account_removed"
	EvidenceErasedType Type = "evidence_erased"
)

// Fact is what an event says happened. It keeps to decisions; the words that
// people wrote are evidence, which can be erased without breaking the log.
type Fact interface {
	EventType() Type
	// words returns the evidence of the fact, nil when it has none.
	words() any
	// restore puts evidence back into a fact that was read from the log.
	restore(evidence []byte) error
}

// Event is a fact at its place in a report's stream.
type Event struct {
	ID         string // UUIDv7; the message UUID too
	ReportID   string
	Sequence   int // from 1 without gaps in each report
	Version    int // the report's version after it
	Type       Type
	ActorID    *string
	OccurredAt time.Time // UTC, microseconds, never backwards within a report
	Fact       Fact
	Erased     bool // it had evidence, which is gone
}

// Created opens a report.
type Created struct {
	Target
	Locale          string `json:"locale"`
	RequestedLocale string `json:"requestedLocale"`
	Reason          Reason `json:"reason"`
	ReporterID      string `json:"reporterId"`

	Words CreatedWords `json:"-"`
}

// CreatedWords is the evidence of Created.
type CreatedWords struct {
	Description  *string         `json:"description"`
	ReporterName string          `json:"reporterName"`
	Title        string          `json:"title"`    // the snapshot's
	Excerpt      string          `json:"excerpt"`  // at most MaxExcerpt characters of it
	Snapshot     json.RawMessage `json:"snapshot"` // last, where encode puts it
}

// Assigned says who works the report: claim, assign and unassign alike.
type Assigned struct {
	AssigneeID         *string `json:"assigneeId"`
	PreviousAssigneeID *string `json:"previousAssigneeId"`
	Claimed            bool    `json:"claimed"`
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

// NoteDeleted deletes a note; it stays in the timeline without its text.
type NoteDeleted struct {
	NoteID string `json:"noteId"`
}

// ActionDone says that a moderator hid or restored the content.
type ActionDone struct {
	Action     string `json:"action"`
	PluginID   string `json:"pluginId"`
	TargetType string `json:"targetType"`
	TargetID   string `json:"targetId"`
}

// Resolved decides a report.
type Resolved struct {
	Resolution Resolution    `json:"resolution"`
	Explained  bool          `json:"explained"`
	Shared     bool          `json:"shared"`
	Words      ResolvedWords `json:"-"`
}

// ResolvedWords is the evidence of Resolved.
type ResolvedWords struct {
	Explanation *string `json:"explanation"`
}

// Reopened takes a decision back. A claim or an assignment of a done report
// reopens it without a reason.
type Reopened struct {
	Reasoned bool          `json:"reasoned"`
	Words    ReopenedWords `json:"-"`
}

// ReopenedWords is the evidence of Reopened.
type ReopenedWords struct {
	Reason *string `json:"reason"`
}

// AccountRemoved says that an account which the report refers to is gone.
type AccountRemoved struct {
	UserID string `json:"userId"`
}

// EvidenceErased says that the evidence of these events is gone.
type EvidenceErased struct {
	Sequences []int `json:"sequences"`
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

func (f *Created) words() any      { return f.Words }
func (*Assigned) words() any       { return nil }
func (f *NoteAdded) words() any    { return f.Words }
func (f *NoteUpdated) words() any  { return f.Words }
func (*NoteDeleted) words() any    { return nil }
func (*ActionDone) words() any     { return nil }
func (*AccountRemoved) words() any { return nil }
func (*EvidenceErased) words() any { return nil }
func (f *Resolved) words() any {
	if f.Words.Explanation == nil {
		return nil
	}
	return f.Words
}
func (f *Reopened) words() any {
	if f.Words.Reason == nil {
		return nil
	}
	return f.Words
}

func (f *Created) restore(b []byte) error     { return json.Unmarshal(b, &f.Words) }
func (f *NoteAdded) restore(b []byte) error   { return json.Unmarshal(b, &f.Words) }
func (f *NoteUpdated) restore(b []byte) error { return json.Unmarshal(b, &f.Words) }
func (f *Resolved) restore(b []byte) error    { return json.Unmarshal(b, &f.Words) }
func (f *Reopened) restore(b []byte) error    { return json.Unmarshal(b, &f.Words) }
func (*Assigned) restore([]byte) error        { return nil }
func (*NoteDeleted) restore([]byte) error     { return nil }
func (*ActionDone) restore([]byte) error      { return nil }
func (*AccountRemoved) restore([]byte) error  { return nil }
func (*EvidenceErased) restore([]byte) error  { return nil }

// Encode gives a fact's payload and its evidence (nil when it has none) as the
// JSON that the log stores.
func Encode(f Fact) (payload, evidence []byte, err error) {
	if payload, err = json.Marshal(f); err != nil {
		return nil, nil, fmt.Errorf("encode %s: %w", f.EventType(), err)
	}
	switch w := f.words().(type) {
	case nil:
	case CreatedWords:
		evidence, err = w.encode()
	default:
		evidence, err = encodeWords(w)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("encode evidence of %s: %w", f.EventType(), err)
	}
	return payload, evidence, nil
}

// encodeWords is JSON that leaves the bytes of snapshots and notes as they are.
func encodeWords(words any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(words)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// roomForSalt is for what the log puts around the words.
const roomForSalt = 64

// encode is encodeWords, without reading through the snapshot: it is compact
// JSON of our own making, of up to 256 KB.
func (w CreatedWords) encode() ([]byte, error) {
	snapshot := w.Snapshot
	w.Snapshot = nil
	rest, err := encodeWords(w)
	if err != nil || snapshot == nil {
		return rest, err
	}
	rest = bytes.TrimSuffix(rest, []byte("null}"))
	rest = slices.Grow(rest, len(snapshot)+roomForSalt)
	return append(append(rest, snapshot...), '}'), nil
}

// Decode reads a fact back from what Encode gave; evidence is nil where there
// was none or where it was erased.
func Decode(t Type, payload, evidence []byte) (Fact, error) {
	make, ok := facts[t]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown type %q", t)
	}
	f := make()
	if err := json.Unmarshal(payload, f); err != nil {
		return nil, fmt.Errorf("decode %s: %w", t, err)
	}
	if evidence != nil {
		if err := f.restore(evidence); err != nil {
			return nil, fmt.Errorf("decode evidence of %s: %w", t, err)
		}
	}
	return f, nil
}

var facts = map[Type]func() Fact{
	CreatedType:        func() Fact { return new(Created) },
	AssignedType:       func() Fact { return new(Assigned) },
	NoteAddedType:      func() Fact { return new(NoteAdded) },
	NoteUpdatedType:    func() Fact { return new(NoteUpdated) },
	NoteDeletedType:    func() Fact { return new(NoteDeleted) },
	ActionType:         func() Fact { return new(ActionDone) },
	ResolvedType:       func() Fact { return new(Resolved) },
	ReopenedType:       func() Fact { return new(Reopened) },
	AccountRemovedType: func() Fact { return new(AccountRemoved) },
	EvidenceErasedType: func() Fact { return new(EvidenceErased) },
}
