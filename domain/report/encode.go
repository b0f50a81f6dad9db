package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Encode returns a fact's payload and its evidence, nil if it has none, as the JSON that
// the log stores.
func Encode(f Fact) (payload, evidence []byte, err error) {
	if payload, err = json.Marshal(f); err != nil {
		return nil, nil, fmt.Errorf("encode %s: %w", f.EventType(), err)
	}
	if c, ok := f.(*Created); ok {
		evidence, err = c.Words.encode()
	} else if written(f) {
		evidence, err = encodeWords(f.words())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("encode evidence of %s: %w", f.EventType(), err)
	}
	return payload, evidence, nil
}

// encodeWords encodes evidence without changing the bytes of snapshots and notes in it.
func encodeWords(words any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(words)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// roomForSalt is the capacity in bytes for what the log adds to the evidence.
const roomForSalt = 64

// encode is encodeWords without a pass over the snapshot, up to 256 KB of JSON that this service
// wrote and that is already compact.
func (w CreatedWords) encode() ([]byte, error) {
	snapshot := w.Snapshot
	w.Snapshot = nil
	others, err := encodeWords(w)
	if err != nil || snapshot == nil {
		return others, err
	}
	others = bytes.TrimSuffix(others, []byte("null}"))
	others = slices.Grow(others, len(snapshot)+roomForSalt)
	return append(append(others, snapshot...), '}'), nil
}

// Decode parses a fact from the payload that Encode returned. Restore adds its evidence.
func Decode(t Type, payload []byte) (Fact, error) {
	newFact, ok := facts[t]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown type %q", t)
	}
	f := newFact()
	if err := json.Unmarshal(payload, f); err != nil {
		return nil, fmt.Errorf("decode %s: %w", t, err)
	}
	return f, nil
}

// Restore sets the evidence of a fact, as Encode returned it.
func Restore(f Fact, evidence []byte) error {
	words := f.words()
	if words == nil {
		return nil
	}
	if err := json.Unmarshal(evidence, words); err != nil {
		return fmt.Errorf("decode evidence of %s: %w", f.EventType(), err)
	}
	return nil
}

// DecodeSnapshot parses only the snapshot in the evidence of a Created.
func DecodeSnapshot(evidence []byte, into any) error {
	if err := json.Unmarshal(evidence, &struct {
		Snapshot any `json:"snapshot"`
	}{into}); err != nil {
		return fmt.Errorf("decode the snapshot: %w", err)
	}
	return nil
}

// Types returns the types of all events, sorted.
func Types() []Type { return slices.Sorted(maps.Keys(facts)) }

var facts = map[Type]func() Fact{
	CreatedType:        func() Fact { return new(Created) },
	AssignedType:       func() Fact { return new(Assigned) },
	NoteAddedType:      func() Fact { return new(NoteAdded) },
	NoteUpdatedType:    func() Fact { return new(NoteUpdated) },
	NoteDeletedType:    func() Fact { return new(NoteDeleted) },
	ActionType:         func() Fact { return new(ActionDone) },
	AppealedType:       func() Fact { return new(Appealed) },
	AppealDecidedType:  func() Fact { return new(AppealDecided) },
	ResolvedType:       func() Fact { return new(Resolved) },
	ReopenedType:       func() Fact { return new(Reopened) },
	AccountRemovedType: func() Fact { return new(AccountRemoved) },
	EvidenceErasedType: func() Fact { return new(EvidenceErased) },
	OverdueType:        func() Fact { return new(Overdue) },
	NotePinnedType:     func() Fact { return new(NotePinned) },
	SignalledType:      func() Fact { return new(Signalled) },
	RuleMatchedType:    func() Fact { return new(RuleMatched) },
	SecondDecidedType:  func() Fact { return new(SecondDecided) },
	SecondSettledType:  func() Fact { return new(SecondSettled) },
	EscalatedType:      func() Fact { return new(Escalated) },
	ReturnedType:       func() Fact { return new(Returned) },

	DecisionHeldType: func() Fact { return new(DecisionHeld) },
	HeldReleasedType: func() Fact { return new(HeldReleased) },
	HeldLapsedType:   func() Fact { return new(HeldLapsed) },

	ActionRequestedType: func() Fact { return new(ActionRequested) },
	ActionUnchangedType: func() Fact { return new(ActionUnchanged) },
	ActionFailedType:    func() Fact { return new(ActionFailed) },

	MeasureImposedType: func() Fact { return new(MeasureImposed) },
	MeasureEndedType:   func() Fact { return new(MeasureEnded) },

	MeasurePendingType:   func() Fact { return new(MeasurePending) },
	MeasureConfirmedType: func() Fact { return new(MeasureConfirmed) },
	MeasureFailedType:    func() Fact { return new(MeasureFailed) },
}
