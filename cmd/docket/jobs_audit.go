package main

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/cron"
)

// retentionLimit bounds one run of the retention job; the next goes on.
const retentionLimit = 30 * time.Minute

// auditJobs are the scheduled jobs that the settings ask for.
func (s *service) auditJobs(store *eventstore.Store) []cron.Job {
	var jobs []cron.Job
	if keep := s.cfg.Retention; keep > 0 {
		jobs = append(jobs, cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: "erase-expired", Schedule: "17 3 * * *",
			Description: "Erases the words of reports that were resolved longer ago than DOCKET_RETENTION.", Limit: retentionLimit,
			Run: func(ctx context.Context) error {
				done, err := store.EraseResolvedBefore(ctx, time.Now().Add(-keep), nil, nil)
				s.log.Info().Int("reports", done.Reports).Int("events", done.Events).Msg("erased what is past its retention")
				return err
			}})
	}
	return jobs
}
