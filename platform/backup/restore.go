package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Restore restores a backup: the database in one transaction, then the audit folder. Before it
// changes anything, it refuses a database with reports, a folder with other files than the
// backup's, and a server that is older than the backup's.
func (d Deployment) Restore(ctx context.Context, a *Archive) error {
	major, err := serverMajor(ctx, d.Pool)
	if err != nil {
		return err
	}
	if major < a.Postgres {
		return fmt.Errorf("the backup is of PostgreSQL %d, and this server is %d: it needs %d or newer", a.Postgres, major, a.Postgres)
	}
	restore, err := findProgram(ctx, "pg_restore", major)
	if err != nil {
		return err
	}
	reports, err := countReports(ctx, d.Pool)
	if err != nil {
		return err
	}
	if reports > 0 {
		return fmt.Errorf("the database holds %d reports: a backup is restored into a database without any", reports)
	}
	if err := d.checkFolder(a); err != nil {
		return err
	}
	if err := d.restoreDatabase(ctx, restore, a); err != nil {
		return err
	}
	return d.restoreFolder(a)
}

func (d Deployment) restoreDatabase(ctx context.Context, restore string, a *Archive) error {
	// The backup replaces tables that migrations have created in the empty database.
	cmd, err := program(ctx, restore, d.URL, "--format=custom", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges",
		"--clean", "--if-exists")
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("pg_restore: %w", err)
	}
	copied := errors.Join(copyEntry(stdin, a.database), stdin.Close())
	if err := cmd.Wait(); err != nil {
		return failure(ctx, "pg_restore", err, said.String())
	}
	return copied
}

// checkFolder returns an error if restoreFolder would replace a file.
func (d Deployment) checkFolder(a *Archive) error {
	if len(a.Audit) == 0 {
		return nil
	}
	if d.Audit.Path == "" {
		return errors.New("the backup holds an audit folder: say by DOCKET_AUDIT_DIR where it goes")
	}
	entries, err := os.ReadDir(d.Audit.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("audit folder: %w", err)
	}
	for _, e := range entries {
		if _, known := a.Audit[e.Name()]; !known && (d.Audit.Shared || e.Name() == d.Audit.Secret) {
			continue
		}
		held, err := os.ReadFile(filepath.Join(d.Audit.Path, e.Name()))
		if err != nil {
			return fmt.Errorf("audit folder: %w", err)
		}
		if restored, known := a.Audit[e.Name()]; !known || !bytes.Equal(held, restored) {
			return fmt.Errorf("the audit folder %s holds %s, which is not the backup's: name an empty folder by DOCKET_AUDIT_DIR, and keep this one, which may attest more than the backup holds",
				d.Audit.Path, e.Name())
		}
	}
	return nil
}

func (d Deployment) restoreFolder(a *Archive) error {
	if len(a.Audit) == 0 {
		return nil
	}
	if err := os.MkdirAll(d.Audit.Path, 0o700); err != nil {
		return fmt.Errorf("audit folder: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Audit)) {
		if err := os.WriteFile(filepath.Join(d.Audit.Path, name), a.Audit[name], 0o600); err != nil {
			return fmt.Errorf("audit folder: %w", err)
		}
	}
	return syncFolder(d.Audit.Path)
}
