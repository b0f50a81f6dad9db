package cmd

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/fleet"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/platform/upkeep"
)

// auditLimit bounds one run of the job that takes checkpoints.
const auditLimit = 30 * time.Minute

// checkpointJob returns the job that signs the log and stores the checkpoint outside of the database. If no setting
// names a place, it signs only to draw second opinions.
func (s *Server) checkpointJob() cron.Job {
	folder := s.cfg.checkpoints()
	if folder.Path == "" && s.cfg.AuditURL == "" {
		return cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: "draw", Schedule: "41 * * * *",
			Description: "Signs the state of the log to draw what is decided again, unless a server keeps checkpoints.", Limit: auditLimit, Run: s.signForSeconds}
	}
	return cron.Job{PluginID: permission.CorePlugin, Module: "audit", Name: keepJob, Schedule: "41 * * * *",
		Description: "Signs the state of the log, draws what is decided again, and keeps or publishes the checkpoint outside of the database.", Limit: auditLimit,
		Run: func(ctx context.Context) error {
			taken, _, err := folder.Take(ctx, s.db.Pool)
			if errors.Is(err, proof.ErrEmptyLog) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := recordCheckpoint(ctx, s.db.Pool, taken); err != nil {
				return err
			}
			if s.cfg.AuditURL == "" { // though another server may post it
				handled, err := fleet.Handled(ctx, s.db.Pool)
				if err != nil || !slices.Contains(handled, permission.CorePlugin+":"+publishTask) {
					return err
				}
			}
			defer s.queue.Wake()
			return publishCheckpoint(ctx, s.db.Pool, taken)
		}}
}

const keepJob = "checkpoint"

// signForSeconds signs a checkpoint that only the database stores. If another server stores checkpoints elsewhere, it
// signs none: a draw must be repeatable from the checkpoints that are stored there.
func (s *Server) signForSeconds(ctx context.Context) error {
	versions, err := quality.Versions(ctx, s.db.Pool)
	if err != nil || len(versions) == 0 {
		return err
	}
	kept, err := cron.Registered(ctx, s.db.Pool, permission.CorePlugin, "audit", keepJob)
	if err != nil || kept {
		return err
	}
	if _, err = proof.TakeUnkept(ctx, s.db.Pool, s.signer); errors.Is(err, proof.ErrEmptyLog) {
		return nil
	}
	return err
}

// recordCheckpoint stores when the log was last signed, for operators.
func recordCheckpoint(ctx context.Context, db upkeep.DB, taken proof.Checkpoint) error {
	return upkeep.Record(ctx, db, upkeep.Checkpoint, time.Now(), upkeep.CheckpointDetail{Events: taken.N})
}
