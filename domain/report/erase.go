package report

import (
	"encoding/json"
	"slices"
	"time"
)

// Choice reports whether to erase the words of an event. Contents is the fold of all events of
// the event's report before the erasure.
type Choice func(Contents, Event) bool

// Erases reports whether the event is chosen and still has words. Erasing them keeps the fact
// and the proof that nothing else was changed: hashes cover a salted digest of the words and
// not the words themselves.
func (c Choice) Erases(before Contents, e Event) bool {
	return c(before, e) && !e.Erased && e.Fact.words() != nil
}

// DecideErasure records which events of a report lost their words. If the snapshot is among
// them, it also records the ids of the authors, so that what was decided about their content
// keeps its weight.
func DecideErasure(before Contents, sequences []int) []Fact {
	erased := &EvidenceErased{Sequences: sequences}
	if slices.Contains(sequences, createdSequence) {
		erased.Authors = before.Authors
	}
	return []Fact{erased}
}

// createdSequence is the sequence of Created, which holds the snapshot.
const createdSequence = 1

// EveryWord is a Choice of all events.
func EveryWord(Contents, Event) bool { return true }

// ResolvedBefore returns a Choice of all events of reports that were resolved before a time.
func ResolvedBefore(moment time.Time) Choice {
	return func(c Contents, _ Event) bool {
		return c.State.Status == Done && c.State.ResolvedAt != nil && c.State.ResolvedAt.Before(moment)
	}
}

// WrittenBy returns a Choice of the events whose words the account wrote. A reporter's
// description, name and snapshot are one piece of evidence and are erased together.
func WrittenBy(userID string) Choice {
	return func(_ Contents, e Event) bool { return same(e.ActorID, &userID) }
}

// SnapshotOf returns a Choice of the events whose words show or judge content by the account:
// the snapshot, the decisions with their reasons, also held ones and why they were released, the replies to appeals, why actions on the
// content or measures failed, why measures ended, and why disputes were settled.
func SnapshotOf(userID string) Choice {
	return func(c Contents, e Event) bool {
		switch e.Fact.(type) {
		case *Created, *Resolved, *DecisionHeld, *HeldReleased, *AppealDecided, *ActionFailed, *MeasureEnded, *MeasureFailed, *SecondSettled:
			return slices.Contains(c.Authors, userID)
		}
		return false
	}
}

// AuthorsOf returns the ids of the authors in a snapshot, in its order.
func AuthorsOf(snapshot json.RawMessage) []string {
	var s struct {
		Authors []struct {
			ID string `json:"id"`
		} `json:"authors"`
	}
	if json.Unmarshal(snapshot, &s) != nil {
		return nil
	}
	var ids []string
	for _, a := range s.Authors {
		if a.ID != "" {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
