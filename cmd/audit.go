package cmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/proof"
)

type auditCommand struct {
	Verify     auditVerifyCommand     `cmd:"" help:"Check the whole log against itself and against kept checkpoints, or a bundle without a database."`
	Checkpoint auditCheckpointCommand `cmd:"" help:"Sign the state of the log and keep it outside the database."`
	Prove      auditProveCommand      `cmd:"" help:"Write a bundle that proves what the log holds of a report."`
	Export     auditExportCommand     `cmd:"" help:"Write the log or a part of it."`
	Key        auditKeyCommand        `cmd:"" help:"Print a new key for DOCKET_AUDIT_KEY, or the public half of this server's key."`
}

// auditFolder is an option of the commands that need checkpoints.
type auditFolder struct {
	Folder string `help:"Folder of checkpoints and their key; default DOCKET_AUDIT_DIR, in local mode a folder of the data directory." placeholder:"DIR"`
}

// errNoAuditFolder means that no option or setting tells where checkpoints are kept.
var errNoAuditFolder = usageError{errors.New("no folder of checkpoints is set: give --folder, DOCKET_AUDIT_DIR, or DOCKET_AUDIT_URL with DOCKET_AUDIT_KEY")}

// checkpoints returns the folder of checkpoints. Its Path is "" if none is known.
func (c *Config) checkpoints() proof.Folder {
	f := proof.Folder{Path: c.AuditDir, Key: c.AuditKey, Known: c.AuditKnownKeys}
	if f.Path == "" && c.DatabaseURL == "" && c.DataDir != "" {
		f.Path = filepath.Join(c.DataDir, "audit")
	}
	return f
}

// withAudit runs work with the log and its checkpoints.
func (a *app) withAudit(ctx context.Context, folder string, work func(*Database, proof.Folder, *eventstore.Sealer) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	checkpoints := cfg.checkpoints()
	if folder != "" {
		checkpoints.Path = folder
	}
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db.Pool, log, false); err != nil {
			return err
		}
		return work(db, checkpoints, eventstore.NewSealer(db.Pool, log, func(int64) {}))
	})
}

type auditCheckpointCommand struct{ auditFolder }

// Run prints the checkpoint and where it is kept. If nothing was appended since the newest
// kept checkpoint, it prints that one.
func (c *auditCheckpointCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	return a.withAudit(ctx, c.Folder, func(db *Database, f proof.Folder, sealer *eventstore.Sealer) error {
		if f.Path == "" && cfg.AuditURL == "" {
			return errNoAuditFolder
		}
		if err := sealer.SealAll(ctx); err != nil {
			return err
		}
		taken, path, err := f.Take(ctx, db.Pool)
		if err != nil {
			return err
		}
		if err := recordCheckpoint(ctx, db.Pool, taken); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\n", taken.Note)
		if path != "" {
			fmt.Fprintf(a.stderr, "kept in %s: copy it to a place that those who can change the database cannot change\n", path)
		}
		if cfg.AuditURL == "" {
			return nil
		}
		if err := publishCheckpoint(ctx, db.Pool, time.Now(), taken); err != nil {
			return err
		}
		fmt.Fprintln(a.stderr, "queued for DOCKET_AUDIT_URL; a running server posts it")
		return nil
	})
}
