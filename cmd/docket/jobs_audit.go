package main

import (
	"context"
	"errors"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/cron"
)

// auditLimit bounds one run of an audit job; what a run leaves is the next one's.
const auditLimit = 30 * time.Minute

// auditJobs are the scheduled jobs that the settings ask for.
func (s *service) auditJobs(store *eventstore.Store) []cron.Job {
	var jobs []cron.Job
	if keep := s.cfg.Retention; keep > 0 {
		jobs = append(jobs, cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: "erase-expired", Schedule: "17 3 * * *",
			Description: "Erases the words of reports that were resolved longer ago than DOCKET_RETENTION.", Limit: auditLimit,
			Run: func(ctx context.Context) error {
				done, err := store.EraseResolvedBefore(ctx, time.Now().Add(-keep), nil, nil)
				s.log.Info().Int("reports", done.Reports).Int("events", done.Events).Msg("erased what is past its retention")
				return err
			}})
	}
	if folder := s.cfg.checkpoints(); folder.Path != "" || s.cfg.AuditURL != "" {
		jobs = append(jobs, cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: "checkpoint", Schedule: "41 * * * *",
			Description: "Signs the state of the log, and keeps or publishes it outside of the database.", Limit: auditLimit,
			Run: func(ctx context.Context) error {
				taken, _, err := folder.Take(ctx, s.db.Pool)
				if errors.Is(err, eventstore.ErrEmptyLog) {
					return nil
				}
				if err != nil || s.cfg.AuditURL == "" {
					return err
				}
				defer s.queue.Wake()
				return publishCheckpoint(ctx, s.db.Pool, time.Now(), taken)
			}})
	}
	return jobs
}
