package cmd

import (
	"context"
	"errors"

	"github.com/docketmod/docket/eventstore/proof"
)

type auditCommand struct {
	Verify     auditVerifyCommand     `cmd:"" help:"Check the whole log against itself and against kept checkpoints, or a bundle without a database."`
	Checkpoint auditCheckpointCommand `cmd:"" help:"Sign the state of the log and keep it outside the database."`
	Adopt      auditAdoptCommand      `cmd:"" help:"Sign staff entries, mutes, policies, rules, platforms and holds that no server has signed, as they are now."`
	Prove      auditProveCommand      `cmd:"" help:"Write a bundle that proves what the log holds of a report."`
	Export     auditExportCommand     `cmd:"" help:"Write the log or a part of it."`
	Key        auditKeyCommand        `cmd:"" help:"Print a new key for DOCKET_AUDIT_KEY, or the public half of this server's key."`
}

// auditFolder is an option of the commands that need checkpoints.
type auditFolder struct {
	Folder string `help:"Folder of checkpoints and their key; default DOCKET_AUDIT_DIR, in local mode a folder of the data directory." placeholder:"DIR"`
}

// errNoAuditFolder means that no option or setting names the folder of checkpoints.
var errNoAuditFolder = usageError{errors.New("no folder of checkpoints is set: give --folder, DOCKET_AUDIT_DIR, or DOCKET_AUDIT_URL with DOCKET_AUDIT_KEY")}

// withAudit runs work with the database and the folder of checkpoints.
func (a *app) withAudit(ctx context.Context, folder string, work func(*Database, proof.Folder) error) error {
	return a.withMigrated(ctx, func(db *Database) error {
		checkpoints := db.cfg.checkpoints()
		if folder != "" {
			checkpoints.Path = folder
		}
		return work(db, checkpoints)
	})
}
