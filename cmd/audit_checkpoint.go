package cmd

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/proof"
)

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
		if err := publishCheckpoint(ctx, db.Pool, taken); err != nil {
			return err
		}
		fmt.Fprintln(a.stderr, "queued for DOCKET_AUDIT_URL; a running server posts it")
		return nil
	})
}
