package cron

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// QueueJobs returns the jobs of the task queue: it is drained on every tick, tasks that
// no server handles are logged, and old completed tasks are deleted once an hour.
func QueueJobs(q *queue.Queue) []Job {
	return []Job{
		{
			PluginID: permission.CorePlugin, Module: "queue", Name: "process",
			Description: "Runs the tasks that wait in the queue.",
			Schedule:    "* * * * *", EveryTick: true, Limit: time.Minute,
			Run: q.Drain,
		},
		{
			PluginID: permission.CorePlugin, Module: "queue", Name: "warn-unhandled",
			Description: "Warns, once each, about tasks that no server handles.",
			Schedule:    "*/5 * * * *",
			Run:         q.WarnUnhandled,
		},
		{
			PluginID: permission.CorePlugin, Module: "queue", Name: "trim",
			Description: "Deletes tasks that were completed more than seven days ago.",
			Schedule:    "17 * * * *",
			Run: func(ctx context.Context) error {
				_, err := q.Trim(ctx)
				return err
			},
		},
	}
}
