// Package event holds the public events as their receivers see them, and the listeners with
// which plugins receive them.
//
// A [Listener] names its consumer group, the events that it wants, and a handler:
//
//	event.Listener{
//		Group:  "photos.resolved", // remembers how far it has read: it never changes
//		Events: []string{event.ReportResolved, "content.photos.*"},
//		Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
//			resolved, err := event.Decode[event.Resolved](e)
//			if err != nil {
//				return err
//			}
//			_, err = tx.Exec(ctx, `UPDATE photos SET outcome = $1 WHERE report_id = $2`, resolved.Resolution, e.ReportID)
//			return err
//		},
//	}
//
// The events of one report arrive in order, each at least once and with the same ID when it is repeated. What a handler
// writes through tx takes effect exactly once. If a handler fails five times within about two seconds, the event
// becomes a dead letter, which an admin can replay, and the next ones follow. A handler that calls out over the network
// enqueues a task instead, because its transaction delays other readers.
//
// The payloads are [Created], [Assigned], [Resolved] and so on. Members may be added to them,
// and [Decode] ignores those that it does not know.
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
	Payload    json.RawMessage // a Created, Assigned, … of this package, which Decode returns
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
