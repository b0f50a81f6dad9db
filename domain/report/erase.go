package report

import (
	"encoding/json"
	"time"
)

// Choice tells whether an event of a report in this state loses its words.
type Choice func(State, Event) bool

// DecideErase takes the words of the chosen events away: every one of them that
// still has any. The facts of what was decided stay, and so does the proof that
// nothing else was changed (design 2).
func DecideErase(s State, events []Event, chosen Choice) []Fact {
	var sequences []int
	for _, e := range events {
		if !e.Erased && e.Fact.words() != nil && chosen(s, e) {
			sequences = append(sequences, e.Sequence)
		}
	}
	if sequences == nil {
		return nil
	}
	return []Fact{&EvidenceErased{Sequences: sequences}}
}

// EveryWord chooses all events.
func EveryWord(State, Event) bool { return true }

// ResolvedBefore chooses all events of a report that is done since before a moment.
func ResolvedBefore(moment time.Time) Choice {
	return func(s State, _ Event) bool {
		return s.Status == Done && s.ResolvedAt != nil && s.ResolvedAt.Before(moment)
	}
}

// WrittenBy chooses the events whose words an account wrote. What a reporter
// wrote is one piece of evidence with the reporter's name and the snapshot that
// they saw, so that these go together.
func WrittenBy(userID string) Choice {
	return func(_ State, e Event) bool { return e.ActorID != nil && *e.ActorID == userID }
}

// SnapshotOf chooses the events that froze content which an account wrote.
func SnapshotOf(userID string) Choice {
	return func(_ State, e Event) bool {
		created, ok := e.Fact.(*Created)
		if !ok {
			return false
		}
		var snapshot struct {
			Authors []struct {
				ID string `json:"id"`
			} `json:"authors"`
		}
		if json.Unmarshal(created.Words.Snapshot, &snapshot) != nil {
			return false
		}
		for _, author := range snapshot.Authors {
			if author.ID == userID {
				return true
			}
		}
		return false
	}
}
