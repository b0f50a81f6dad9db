package report

import (
	"encoding/json"
	"slices"
	"time"
)

// Choice reports whether the words of an event of a report in this state are to be erased.
// It is called for every event of a report, in their order.
type Choice func(State, Event) bool

// Erases reports whether the event of a report in this state still has words and is chosen.
// If they are erased, the fact stays, and so does the proof that nothing else was changed:
// hashes cover a salted digest of the words and not the words themselves.
func (c Choice) Erases(s State, e Event) bool {
	return c(s, e) && !e.Erased && e.Fact.words() != nil
}

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

// SnapshotOf returns a Choice for one report after the other: of the events whose words show
// or judge content by the account, which are the snapshot, the decisions on it with their
// reasons, and the replies to appeals.
func SnapshotOf(userID string) Choice {
	theirs := false // the report that the last Created began
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
