package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections/maintenance"
	"github.com/docketmod/docket/projections/projector"
)

// runTask is the name of the queue's task that verifies or rebuilds a projection for the
// admin API.
const runTask = "projections.run"

// runLimit bounds one attempt. runAttempts counts failures only: a server that stops passes
// its run to another.
const (
	runLimit    = 12 * time.Hour
	runAttempts = 3
)

type runPayload struct {
	RunID string `json:"runId"`
}

// wireRuns makes the queue verify and rebuild projections.
func (s *Server) wireRuns(projector *projector.Projector) error {
	s.runs = maintenance.New(s.db.Pool, projector, time.Now, func(ctx context.Context, tx pgx.Tx, runID string) error {
		return queue.EnqueueTx(ctx, tx, time.Now(), queue.Task{PluginID: permission.CorePlugin, Name: runTask, Queue: queue.Long,
			Payload: runPayload{runID}, MaxAttempts: runAttempts})
	})
	return s.queue.Handle(permission.CorePlugin, runTask, queue.Handler{Limit: runLimit, Run: func(ctx context.Context, a queue.Attempt) error {
		var p runPayload
		if err := json.Unmarshal(a.Payload, &p); err != nil {
			return queue.Permanent(fmt.Errorf("payload: %w", err))
		}
		return s.runs.Do(ctx, p.RunID, a.Last)
	}})
}
