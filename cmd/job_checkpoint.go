package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/platform/upkeep"
)

// auditLimit bounds one run of an audit job. The next run continues it.
const auditLimit = 30 * time.Minute

// checkpointJob returns the job that signs the log. If no setting says where checkpoints go, it signs only if
// second opinions are wanted, which checkpoints draw.
func (s *Server) checkpointJob() cron.Job {
	folder := s.cfg.checkpoints()
	return cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: "checkpoint", Schedule: "41 * * * *",
		Description: "Signs the state of the log, draws what is decided again, and keeps or publishes the checkpoint outside of the database.", Limit: auditLimit,
		Run: func(ctx context.Context) error {
			if folder.Path == "" && s.cfg.AuditURL == "" {
				return s.signForSeconds(ctx)
			}
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
		}}
}

func (s *Server) signForSeconds(ctx context.Context) error {
	versions, err := quality.Versions(ctx, s.db.Pool)
	if err != nil || len(versions) == 0 {
		return err
	}
	if _, err = proof.TakeUnkept(ctx, s.db.Pool, s.signer); errors.Is(err, proof.ErrEmptyLog) {
		return nil
	}
	return err
}

// recordCheckpoint remembers for operators when the log was last signed.
func recordCheckpoint(ctx context.Context, db upkeep.DB, taken proof.Checkpoint) error {
	return upkeep.Record(ctx, db, upkeep.Checkpoint, time.Now(), upkeep.CheckpointDetail{Events: taken.N})
}
