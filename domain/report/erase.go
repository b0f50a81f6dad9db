package report

import (
	"encoding/json"
	"slices"
	"time"
)

// Choice reports whether to erase the words of an event. State is that of the report before
// the erasure. It is called for every event of a report, in order.
type Choice func(State, Event) bool

// Erases reports whether the event is chosen and still has words. Erasing them keeps the fact
// and the proof that nothing else was changed: hashes cover a salted digest of the words and
// not the words themselves.
func (c Choice) Erases(s State, e Event) bool {
	return c(s, e) && !e.Erased && e.Fact.words() != nil
}

// DecideErasure records which events of a report lost their words.
func DecideErasure(sequences []int) []Fact { return []Fact{&EvidenceErased{Sequences: sequences}} }

// EveryWord is a Choice of all events.
func EveryWord(State, Event) bool { return true }

// ResolvedBefore returns a Choice of all events of reports that were resolved before a time.
func ResolvedBefore(moment time.Time) Choice {
	return func(s State, _ Event) bool {
		return s.Status == Done && s.ResolvedAt != nil && s.ResolvedAt.Before(moment)
	}
}

// WrittenBy returns a Choice of the events whose words the account wrote. A reporter's
// description, name and snapshot are one piece of evidence and are erased together.
func WrittenBy(userID string) Choice {
	return func(_ State, e Event) bool { return e.ActorID != nil && *e.ActorID == userID }
}

// SnapshotOf returns a Choice of the events whose words show or judge content by the account:
// the snapshot, the decisions with their reasons, and the replies to appeals. The Choice must
// be given the events report by report.
func SnapshotOf(userID string) Choice {
	theirs := false // the present report is about the account's content
	return func(_ State, e Event) bool {
		switch f := e.Fact.(type) {
		case *Created:
			theirs = slices.Contains(AuthorsOf(f.Words.Snapshot), userID)
			return theirs
		case *Resolved, *AppealDecided:
			return theirs
		}
		return false
	}
}

// AuthorsOf returns the ids of the authors in a snapshot.
func AuthorsOf(snapshot json.RawMessage) []string {
	var s struct {
		Authors []struct {
			ID string `json:"id"`
		} `json:"authors"`
	}
	if json.Unmarshal(snapshot, &s) != nil {
		return nil
	}
	ids := make([]string, len(s.Authors))
	for i, a := range s.Authors {
		ids[i] = a.ID
	}
	return ids
}
