// Package event holds the public events of spec section 6 as their receivers
// meet them, and the listeners with which plugins receive them.
package event

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Event is one public event. It is delivered at least once to each group, and in
// order per report; a repeat carries the same ID.
type Event struct {
	ID         string
	Name       string // `moderation.report.created`, `content.forum.post.hidden`
	ReportID   string // "" when the event is not a report's own
	Sequence   int64  // its place in the report's timeline; 0 without a report
	PluginID   string
	ActorID    string // "" when nobody did it
	OccurredAt time.Time
	Payload    json.RawMessage // exactly spec section 6's; Decode gives it typed
}

// Listener is a consumer group of a plugin: one handler that hears of each event
// it names, once at a time, on whichever server is free.
type Listener struct {
	// Group is unique, and stays the same between releases: it is what remembers
	// how far the listener has read.
	Group string
	// Events are names, or prefixes ending in `*`; none is every event.
	Events []string
	// Handle works in the message's transaction, so what it writes there happens
	// exactly once, although the event may be delivered again. It cannot end the
	// transaction. An error or a panic undoes the attempt; after a few attempts, or
	// when it tried to end the transaction, the event is set aside for an admin and
	// the group goes on. Handle is given 10 s
	// and delays other readers while it runs: quick database work only, what calls
	// out enqueues a task.
	Handle Handler
	// Prepare, in Handle's stead, makes the handler of one batch of events: it reads
	// what need be read once for all of them. They were committed before it runs. It
	// counts as part of the first event's attempt.
	Prepare func(ctx context.Context, tx pgx.Tx) (Handler, error)
}

// Handler does what a listener does about one event.
type Handler func(ctx context.Context, tx pgx.Tx, e Event) error

var groupName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// Validate tells what keeps the listener from being registered.
func (l Listener) Validate() error {
	switch {
	case !groupName.MatchString(l.Group):
		return fmt.Errorf("listener group %q: want lowercase letters, digits, dots, dashes and underscores, at most 100", l.Group)
	case l.Handle == nil && l.Prepare == nil:
		return fmt.Errorf("listener group %s has no handler", l.Group)
	case l.Handle != nil && l.Prepare != nil:
		return fmt.Errorf("listener group %s has both Handle and Prepare: want one", l.Group)
	case slices.Contains(l.Events, ""):
		return fmt.Errorf("listener group %s names an empty event", l.Group)
	}
	return nil
}

// Hears tells whether the listener wants events of that name.
func (l Listener) Hears(name string) bool { return Matches(l.Events, name) }

// Matches tells whether a name is among patterns: names, or prefixes ending in
// `*`. No patterns match every name.
func Matches(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return true
	}
	return slices.ContainsFunc(patterns, func(p string) bool {
		if prefix, wild := strings.CutSuffix(p, "*"); wild {
			return strings.HasPrefix(name, prefix)
		}
		return p == name
	})
}
