package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Name is the name of a queue. Each queue has its own workers, so that slow tasks of one do not
// delay another.
type Name string

// The queues.
const (
	Default  Name = "default"
	Outbound Name = "outbound" // network calls: webhooks, mail
	Long     Name = "long"     // may take hours: verifying and rebuilding projections
)

var names = []Name{Default, Outbound, Long}

// Task is work to run after the transaction that enqueues it commits.
type Task struct {
	ID       string // a UUID, for the caller's reference; the default is a new one
	PluginID string
	Name     string // of the plugin's handler
	Queue    Name   // default Default
	Payload  any    // anything that encodes as JSON; nil becomes null
	Priority int16  // higher runs first; default 0

	MaxAttempts int           // default DefaultMaxAttempts
	Delay       time.Duration // runs no earlier than so long after it is enqueued
}

// complete returns the task with its defaults, and its payload as JSON.
func (t Task) complete() (Task, string, error) {
	if t.PluginID == "" || t.Name == "" {
		return Task{}, "", fmt.Errorf("enqueue: task %q of plugin %q lacks a name", t.Name, t.PluginID)
	}
	t.Queue = cmp.Or(t.Queue, Default)
	if !slices.Contains(names, t.Queue) {
		return Task{}, "", fmt.Errorf("enqueue %s:%s: there is no queue %q", t.PluginID, t.Name, t.Queue)
	}
	t.MaxAttempts = cmp.Or(t.MaxAttempts, DefaultMaxAttempts)
	if t.MaxAttempts < 0 {
		return Task{}, "", fmt.Errorf("enqueue %s:%s: negative attempts", t.PluginID, t.Name)
	}
	payload, err := json.Marshal(t.Payload)
	if err != nil {
		return Task{}, "", fmt.Errorf("enqueue %s:%s: payload: %w", t.PluginID, t.Name, err)
	}
	if t.ID == "" {
		t.ID = uuid.Must(uuid.NewV7()).String()
	}
	return t, string(payload), nil
}
