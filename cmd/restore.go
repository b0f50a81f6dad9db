package cmd

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/backup"
	"github.com/docketmod/docket/platform/fleet"
)

type restoreCommand struct {
	File       string `arg:"" help:"A backup made by docket backup." type:"existingfile"`
	SignedFrom int64  `help:"Accept unsigned events before this position, as audit verify does." placeholder:"POSITION"`
}

// Run restores a backup into a database without reports, migrates it to this version, and verifies
// the whole log.
func (c *restoreCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	file, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	archive, err := backup.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	if err := a.withDatabase(ctx, func(db *Database) error {
		target := backup.Deployment{Pool: db.Pool, URL: db.URL, Audit: cfg.auditFolder()}
		if err := target.Restore(ctx, archive); err != nil {
			return err
		}
		applied, err := migrations.Docket.Up(ctx, db.Pool)
		for _, m := range applied {
			fmt.Fprintf(a.stdout, "applied %s\n", m.Name)
		}
		if err != nil {
			return err
		}
		if err := fleet.Forget(ctx, db.Pool); err != nil {
			return err
		}
		// The dump was taken before its backup was recorded as complete.
		if err := target.Record(ctx, archive.Manifest, file.Size()); err != nil {
			return err
		}
		return db.sealer().Restored(ctx)
	}); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "restored %d reports as of %s, made by docket %s\n", archive.Reports, archive.StartedAt.Format(time.RFC3339), archive.Docket)
	if _, kept := archive.Audit[proof.KeyFile]; !kept { // backups of earlier releases contain it
		fmt.Fprintln(a.stderr, "the private audit key is in no backup: put it back into "+cfg.auditKeyPlace()+" before you start a server")
	}
	if cfg.SecretsKey == "" {
		fmt.Fprintln(a.stderr, "DOCKET_SECRETS_KEY is not set: if the backup's servers had one, second factors and secrets work only with the same")
	}
	verify := auditVerifyCommand{Workers: 4, SignedFrom: c.SignedFrom}
	return verify.Run(ctx, a)
}
