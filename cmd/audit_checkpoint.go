package cmd

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/eventstore/proof"
)

type auditCheckpointCommand struct{ auditFolder }

// Run prints the checkpoint and where it is stored. If nothing was appended since the newest stored
// checkpoint, it prints that one.
func (c *auditCheckpointCommand) Run(ctx context.Context, a *app) error {
	return a.withAudit(ctx, c.Folder, func(db *Database, f proof.Folder) error {
		if f.Path == "" && db.cfg.AuditURL == "" {
			return errNoAuditFolder
		}
		if err := db.sealer().SealAll(ctx); err != nil {
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
		if db.cfg.AuditURL == "" {
			return nil
		}
		if err := publishCheckpoint(ctx, db.Pool, taken); err != nil {
			return err
		}
		fmt.Fprintln(a.stderr, "queued for DOCKET_AUDIT_URL; a running server posts it")
		return nil
	})
}
