package report

import (
	"encoding/json"
	"slices"
	"time"
)

// Choice reports whether to erase the evidence of an event. Contents is the fold of all events of the report before the
// erasure.
type Choice func(Contents, Event) bool

// Erases reports whether the event is chosen and still has evidence. Erasing that does not break the hash chain: hashes
// cover a salted digest of the evidence.
func (c Choice) Erases(before Contents, e Event) bool {
	return c(before, e) && !e.Erased && written(e.Fact)
}

// DecideErasure records which events of a report lost their evidence. If that includes the snapshot, it also records
// the ids of the authors, so that decisions about their content still count.
func DecideErasure(before Contents, sequences []int) []Fact {
	erased := &EvidenceErased{Sequences: sequences}
	if slices.Contains(sequences, createdSequence) {
		erased.Authors = before.Authors
	}
	return []Fact{erased}
}

// createdSequence is the sequence of Created, whose evidence has the snapshot.
const createdSequence = 1

// EveryWord is a Choice of all events.
func EveryWord(Contents, Event) bool { return true }

// ResolvedBefore returns a Choice of all events of reports that were resolved before a time.
func ResolvedBefore(moment time.Time) Choice {
	return func(c Contents, _ Event) bool {
		return c.State.Status == Done && c.State.ResolvedAt != nil && c.State.ResolvedAt.Before(moment)
	}
}

// WrittenBy returns a Choice of the events whose evidence the account wrote. A reporter's description, name and
// snapshot are erased together, since they are one piece of evidence.
func WrittenBy(userID string) Choice {
	return func(_ Contents, e Event) bool { return same(e.ActorID, &userID) }
}

// SnapshotOf returns a Choice of the events whose evidence quotes or judges content by the account: the snapshot,
// decisions and held decisions with their reasons, releases of the latter, replies to appeals, failures of actions and
// measures, ends of measures, and settlements of disputes.
func SnapshotOf(userID string) Choice {
	return func(c Contents, e Event) bool {
		switch e.Fact.(type) {
		case *Created, *Resolved, *DecisionHeld, *HeldReleased, *AppealDecided, *ActionFailed, *MeasureEnded, *MeasureFailed, *SecondSettled:
			return slices.Contains(c.Authors, userID)
		}
		return false
	}
}

// AuthorsOf returns the ids of the authors in a snapshot, in order.
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
