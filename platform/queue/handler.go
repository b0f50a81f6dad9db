package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/call"
)

// Attempt is one delivery of a task to its handler.
type Attempt struct {
	TaskID   string // the same on every delivery, for idempotence
	PluginID string
	Name     string
	Payload  json.RawMessage
	Number   int  // from 1
	Last     bool // an error fails the task permanently
}

// Handler runs the tasks of one name. Run must be safe for concurrent use and
// idempotent, and must return soon after its context ends: at the limit, when the
// lease is lost, or when the server stops.
type Handler struct {
	Run   func(ctx context.Context, a Attempt) error
	Limit time.Duration // of an attempt; default 1 min
}

// Decoded makes a Handler's Run from a function that also takes the task's decoded payload. A
// payload that cannot be decoded as P fails the task.
func Decoded[P any](run func(ctx context.Context, a Attempt, payload P) error) func(context.Context, Attempt) error {
	return func(ctx context.Context, a Attempt) error {
		var payload P
		if err := json.Unmarshal(a.Payload, &payload); err != nil {
			return Permanent(fmt.Errorf("payload: %w", err))
		}
		return run(ctx, a, payload)
	}
}

// Handle registers the handler of a plugin's task. It may be called while tasks run. Tasks without
// a handler are left to other servers.
func (q *Queue) Handle(pluginID, name string, h Handler) error {
	if pluginID == "" || name == "" || h.Run == nil || h.Limit < 0 {
		return fmt.Errorf("queue: the handler of %q of plugin %q is incomplete", name, pluginID)
	}
	h.Limit = cmp.Or(h.Limit, time.Minute)
	q.mu.Lock()
	defer q.mu.Unlock()
	k := key{pluginID, name}
	if _, taken := q.handlers[k]; taken {
		return fmt.Errorf("queue: %s of plugin %s is handled twice", name, pluginID)
	}
	q.handlers[k] = h
	return nil
}

// Handled returns the tasks that this server handles, as plugin:name, sorted.
func (q *Queue) Handled() []string {
	q.mu.RLock()
	defer q.mu.RUnlock()
	handled := make([]string, 0, len(q.handlers))
	for k := range q.handlers {
		handled = append(handled, k.pluginID+":"+k.name)
	}
	slices.Sort(handled)
	return handled
}

func (q *Queue) handler(pluginID, name string) Handler {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.handlers[key{pluginID, name}]
}

type permanentError struct{ cause error }

func (e *permanentError) Error() string { return e.cause.Error() }
func (e *permanentError) Unwrap() error { return e.cause }

// Permanent marks an error for which a retry is pointless, so the task fails at once.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

// run runs a handler. It returns a panic as an error, and adds to an error why the context has ended.
func run(ctx context.Context, h Handler, a Attempt) error {
	err := call.Safely("task", a.PluginID+":"+a.Name, func() error { return h.Run(ctx, a) })
	if err != nil && ctx.Err() != nil {
		if cause := context.Cause(ctx); !errors.Is(err, cause) {
			err = fmt.Errorf("%w: %w", cause, err)
		}
	}
	return err
}
