package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/upkeep"
)

// auditLimit bounds one run of an audit job. The next run continues it.
const auditLimit = 30 * time.Minute

// checkpointJobs returns the job that signs the log, or none if no setting says where its
// checkpoints go.
func (s *Server) checkpointJobs() []cron.Job {
	folder := s.cfg.checkpoints()
	if folder.Path == "" && s.cfg.AuditURL == "" {
		return nil
	}
	return []cron.Job{{PluginID: permission.CorePlugin, Module: "audit", Name: "checkpoint", Schedule: "41 * * * *",
		Description: "Signs the state of the log, and keeps or publishes it outside of the database.", Limit: auditLimit,
		Run: func(ctx context.Context) error {
			taken, _, err := folder.Take(ctx, s.db.Pool)
			if errors.Is(err, proof.ErrEmptyLog) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := recordCheckpoint(ctx, s.db.Pool, taken); err != nil || s.cfg.AuditURL == "" {
				return err
			}
			defer s.queue.Wake()
			return publishCheckpoint(ctx, s.db.Pool, taken)
		}}}
}

// recordCheckpoint remembers for operators when the log was last signed.
func recordCheckpoint(ctx context.Context, db upkeep.DB, taken proof.Checkpoint) error {
	return upkeep.Record(ctx, db, upkeep.Checkpoint, time.Now(), upkeep.CheckpointDetail{Events: taken.N})
}
