package cmd

import (
	"context"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/cron"
)

// retentionJobs returns the job that erases evidence after DOCKET_RETENTION, or none if it is not
// set.
func (s *Server) retentionJobs(store *eventstore.Store) []cron.Job {
	keep := s.cfg.Retention
	if keep <= 0 {
		return nil
	}
	return []cron.Job{{PluginID: permission.CorePlugin, Module: "audit", Name: "erase-expired", Schedule: "17 3 * * *",
		Description: "Erases the words of reports that were resolved longer ago than DOCKET_RETENTION, unless a legal hold keeps them.", Limit: auditLimit,
		Run: func(ctx context.Context) error {
			done, err := store.EraseResolved(ctx, keep, nil, nil)
			s.log.Info().Int("reports", done.Reports).Int("events", done.Events).Int("held", len(done.Held)).Msg("erased the words of reports past their retention")
			return err
		}}}
}
