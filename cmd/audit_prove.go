package cmd

import (
	"context"

	"github.com/docketmod/docket/eventstore/proof"
)

type auditProveCommand struct {
	auditFolder
	Report string `arg:"" help:"The report's id."`
	Words  bool   `help:"Put in what people wrote, as far as it is not erased."`
}

// Run prints the bundle of a report under a checkpoint of the whole log: the newest stored one if
// nothing was appended since, else a new one.
func (c *auditProveCommand) Run(ctx context.Context, a *app) error {
	id, err := parseID("a report's id", c.Report)
	if err != nil {
		return err
	}
	return a.withAudit(ctx, c.Folder, func(db *Database, f proof.Folder) error {
		if f.Path == "" {
			return errNoAuditFolder
		}
		if err := db.sealer().SealAll(ctx); err != nil {
			return err
		}
		taken, _, err := f.Take(ctx, db.Pool)
		if err != nil {
			return err
		}
		public, err := f.PublicKey()
		if err != nil {
			return err
		}
		bundle, err := proof.Prove(ctx, db.Pool, id, taken, public, c.Words)
		if err != nil {
			return err
		}
		return a.printJSON(bundle)
	})
}
