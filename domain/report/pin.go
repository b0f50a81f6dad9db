package report

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// NotePinnedType is the type of NotePinned. It is internal: it does not change the report's version.
const NotePinnedType Type = "note_pinned"

// The limits of pins.
const (
	MaxPins   = 10                   // of a report, at one time
	MaxPinned = 365 * 24 * time.Hour // of one pin, from now
)

// NotePinned records that a moderator pinned a note until a time, or unpinned it.
type NotePinned struct {
	noWords
	NoteID string     `json:"noteId"`
	Until  *time.Time `json:"until"` // nil unpins it
}

// EventType implements Fact.
func (*NotePinned) EventType() Type { return NotePinnedType }

// Pin is a note that is shown first to everybody who works on the report. It ends at its time, or
// with the note.
type Pin struct {
	NoteID string    `json:"noteId"`
	Until  time.Time `json:"until"`
	By     *string   `json:"by"` // nil once the account is deleted
}

// DecidePinNote pins a note until a time, replacing an earlier pin; nil unpins it.
func DecidePinNote(s State, n Note, until *time.Time, now time.Time) ([]Fact, error) {
	if until != nil {
		until = new(until.UTC().Truncate(time.Microsecond))
	}
	standing := s.PinsAt(now)
	at := slices.IndexFunc(standing, func(p Pin) bool { return p.NoteID == n.ID })
	switch {
	case until == nil && at < 0, until != nil && at >= 0 && standing[at].Until.Equal(*until):
		return nil, nil
	case until != nil && n.DeletedAt != nil:
		return nil, domain.Errorf(domain.CodeInvalidState, "This note is deleted and can no longer be pinned.")
	case until != nil && at < 0 && len(standing) >= MaxPins:
		return nil, domain.Errorf(domain.CodeInvalidState, "%d notes of this report are pinned, which is the most.", MaxPins)
	}
	return []Fact{&NotePinned{NoteID: n.ID, Until: until}}, nil
}

// PinsAt returns the pins that have not ended at a time.
func (s *State) PinsAt(now time.Time) []Pin {
	return domain.Filter(s.Pins, func(p Pin) bool { return p.Until.After(now) })
}

// pinned returns the state with the pin, and without those that have ended.
func pinned(s State, e Event, f *NotePinned) State {
	s = unpinned(s, f.NoteID)
	s.Pins = s.PinsAt(e.OccurredAt)
	if f.Until != nil {
		s.Pins = append(s.Pins, Pin{NoteID: f.NoteID, Until: *f.Until, By: e.ActorID})
	}
	return s
}

// unpinned returns the state without the pin of the note.
func unpinned(s State, noteID string) State {
	s.Pins = domain.Filter(s.Pins, func(p Pin) bool { return p.NoteID != noteID })
	return s
}
