package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/queue"
)

// publishTask is the name of the queue's task that posts a checkpoint to
// DOCKET_AUDIT_URL. The list of tasks tells how it went.
const publishTask = "audit.publish"

// publishAttempts spreads retries over a month, since the queue waits an hour at
// most between two.
const publishAttempts = 31 * 24

// noteType is how transparency logs serve a signed note (c2sp.org/tlog-tiles).
const noteType = "text/plain; charset=utf-8"

type publication struct {
	Note string `json:"note"`
}

// publishCheckpoint queues a checkpoint for the receiver. Receivers may hear of
// one twice, and of two in another order: each stands for itself.
func publishCheckpoint(ctx context.Context, db queue.Execer, now time.Time, c eventstore.Checkpoint) error {
	err := queue.EnqueueTx(ctx, db, now, queue.Task{PluginID: permission.CorePlugin, Name: publishTask, Queue: queue.Outbound,
		Payload: publication{string(c.Note)}, MaxAttempts: publishAttempts})
	if err != nil {
		return fmt.Errorf("publish a checkpoint: %w", err)
	}
	return nil
}

// poster sends content once; its error says why it was not accepted.
type poster func(ctx context.Context, address, contentType, content string) error

// handlePublications makes the queue post checkpoints to the address. Nothing is
// lost to a receiver that is away: it gets each of them later.
func handlePublications(q *queue.Queue, address string, post poster) error {
	return q.Handle(permission.CorePlugin, publishTask, queue.Handler{Run: func(ctx context.Context, a queue.Attempt) error {
		var p publication
		if err := json.Unmarshal(a.Payload, &p); err != nil {
			return queue.Permanent(fmt.Errorf("payload: %w", err))
		}
		return post(ctx, address, noteType, p.Note)
	}})
}
