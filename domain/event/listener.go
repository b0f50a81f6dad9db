package event

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"
)

// Listener is a consumer group of a plugin. Its handler receives each matching event, in
// order, on any of the servers.
type Listener struct {
	// Group is unique and must stay the same between releases: the position up to which
	// the listener has read is stored under it.
	Group string
	// Events are names, or prefixes ending in `*`. An empty list means every event.
	Events []string
	// Handle runs in the transaction of the message. What it writes there takes effect exactly
	// once, even if the event is delivered again. It must not end the transaction. An error or a
	// panic rolls the attempt back. After a few attempts, or if Handle has ended the transaction,
	// the event becomes a dead letter and the group continues with the next one. Handle has 10 s
	// and delays other readers while it runs, so it should only do quick database work; enqueue a
	// task to call out.
	Handle Handler
	// HandleAll replaces Handle. It handles at most 50 events together in 10 s, so that it needs
	// only a few statements for all of them. If it fails, it gets them again one by one, each as
	// Handle does.
	HandleAll func(ctx context.Context, tx pgx.Tx, events []Event) error
}

// Handler handles one event.
type Handler func(ctx context.Context, tx pgx.Tx, e Event) error

var groupName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// Check calls fault for everything that prevents the registration of the listener.
func (l Listener) Check(fault func(field, message string)) {
	if !groupName.MatchString(l.Group) {
		fault("group", fmt.Sprintf("a group is named by 1 to 100 lowercase letters, digits, dots, dashes and underscores; %q is not", l.Group))
	}
	switch {
	case l.Handle == nil && l.HandleAll == nil:
		fault("handle", "a listener needs a handler")
	case l.Handle != nil && l.HandleAll != nil:
		fault("handle", "a listener has either Handle or HandleAll, not both")
	}
}

// Validate returns every fault of Check as one error, or nil.
func (l Listener) Validate() error {
	var faults []error
	l.Check(func(field, message string) {
		faults = append(faults, fmt.Errorf("listener group %q: %s: %s", l.Group, field, message))
	})
	return errors.Join(faults...)
}

// Receives reports whether the listener receives events of the name.
func (l Listener) Receives(name string) bool { return Matches(l.Events, name) }
