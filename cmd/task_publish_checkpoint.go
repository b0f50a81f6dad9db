package cmd

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/queue"
)

// publishTask is the name of the queue's task that posts a checkpoint to DOCKET_AUDIT_URL.
// The list of tasks shows its outcome.
const publishTask = "audit.publish"

// publishAttempts spreads retries over a month: the queue waits 54 minutes between two, on average.
const publishAttempts = 34 * 24

// noteType is the media type of signed notes of transparency logs (c2sp.org/tlog-tiles).
const noteType = "text/plain; charset=utf-8"

type publication struct {
	Note string `json:"note"`
}

// publishCheckpoint enqueues a checkpoint for the receiver. The receiver may get it twice and out
// of order: each checkpoint is complete by itself.
func publishCheckpoint(ctx context.Context, db postgres.Execer, c proof.Checkpoint) error {
	err := queue.EnqueueTx(ctx, db, queue.Task{PluginID: permission.CorePlugin, Name: publishTask, Queue: queue.Outbound,
		Payload: publication{string(c.Note)}, MaxAttempts: publishAttempts})
	if err != nil {
		return fmt.Errorf("publish a checkpoint: %w", err)
	}
	return nil
}

// poster sends content once. Its error says why it was not accepted.
type poster func(ctx context.Context, address, contentType, content string) error

// handlePublications registers the task that posts a checkpoint to the address. The queue retries it for a month.
func handlePublications(q *queue.Queue, address string, post poster) error {
	return q.Handle(permission.CorePlugin, publishTask, queue.Handler{Run: queue.Decoded(func(ctx context.Context, _ queue.Attempt, p publication) error {
		return post(ctx, address, noteType, p.Note)
	})})
}
