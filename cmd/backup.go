package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/backup"
)

type backupCommand struct {
	File string `arg:"" help:"A new file, which only its owner can read. It holds everything that the service knows: keep it as you keep passwords."`
}

// Run backs up while servers run.
func (c *backupCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database) error {
		cfg := db.cfg
		source := backup.Deployment{Pool: db.Pool, URL: db.URL, Audit: cfg.auditFolder()}
		made, err := source.Make(ctx, c.File, versionText(), time.Now)
		if err != nil {
			return err
		}
		info, err := os.Stat(c.File)
		if err != nil {
			return err
		}
		if err := source.Record(ctx, made, info.Size()); err != nil {
			fmt.Fprintf(a.stderr, "the panel does not learn of this backup: %v\n", err) // migrations are pending, or the role may only read
		}
		fmt.Fprintf(a.stdout, "%s: %d reports, %d bytes, as of %s\n", c.File, made.Reports, info.Size(), made.StartedAt.Format(time.RFC3339))
		fmt.Fprintln(a.stderr, "the private audit key is not in it: keep "+cfg.auditKeyPlace()+" elsewhere")
		if cfg.SecretsKey != "" {
			fmt.Fprintln(a.stderr, "nor is DOCKET_SECRETS_KEY: without it second factors and the secrets of webhooks and platforms are lost")
		}
		return nil
	})
}

// auditKeyPlace names where the private audit key is stored.
func (c *Config) auditKeyPlace() string {
	if path := c.auditFolder().Path; c.AuditKey == "" && path != "" {
		return filepath.Join(path, proof.KeyFile)
	}
	return "DOCKET_AUDIT_KEY"
}

// auditFolder is the folder of the checkpoints and the key, or of the key alone.
func (c *Config) auditFolder() backup.Folder {
	if path := c.checkpoints().Path; path != "" {
		return backup.Folder{Path: path, Secret: proof.KeyFile}
	}
	keys, err := c.keyFolder()
	if err != nil {
		return backup.Folder{} // in production there is neither
	}
	return backup.Folder{Path: keys.Path, Shared: true, Secret: proof.KeyFile}
}
