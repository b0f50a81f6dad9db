// Package event holds the public events as their receivers see them, and the listeners with
// which plugins receive them.
package event

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is a public event. Each group receives it at least once, and the events of one
// report in order. A redelivered event has the same ID.
type Event struct {
	ID         string
	Name       string // `moderation.report.created`, `content.forum.post.hidden`
	ReportID   string // "" for events that are not about a report
	Sequence   int64  // its position in the report's timeline; 0 without a report
	PluginID   string
	ActorID    string // "" if it was not caused by an account
	OccurredAt time.Time
	Payload    json.RawMessage // a struct of public_events.go, as which Decode returns it
}

// Decode returns the payload of e as a P. It ignores members that P does not have, so that
// listeners keep working when members are added.
func Decode[P any](e Event) (P, error) {
	var p P
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		return p, fmt.Errorf("payload of %s %s: %w", e.Name, e.ID, err)
	}
	return p, nil
}
