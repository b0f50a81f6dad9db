package backup

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/upkeep"
)

// Deployment is the source of a backup, and the destination of a restore.
type Deployment struct {
	Pool  *pgxpool.Pool
	URL   string // of the same database
	Audit Folder
}

// Make writes a backup to a new file of mode 0600. The service, of the given version, may run
// meanwhile. The file appears under its name once it is complete. It contains everything that was
// acknowledged before Make began.
func (d Deployment) Make(ctx context.Context, file, version string, now func() time.Time) (m Manifest, err error) {
	if _, err := os.Lstat(file); err == nil {
		return Manifest{}, fmt.Errorf("%s is there already: a backup replaces nothing", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, err
	}
	m = Manifest{Format: format, Docket: version, StartedAt: now().UTC()}
	if m.Postgres, err = serverMajor(ctx, d.Pool); err != nil {
		return Manifest{}, err
	}
	dump, err := findProgram(ctx, "pg_dump", m.Postgres)
	if err != nil {
		return Manifest{}, err
	}
	if m.Reports, err = countReports(ctx, d.Pool); err != nil {
		return Manifest{}, err
	}
	unfinished, err := os.CreateTemp(filepath.Dir(file), ".docket-backup-*") // of mode 0600
	if err != nil {
		return Manifest{}, err
	}
	defer func() { _ = os.Remove(unfinished.Name()) }() // it has been renamed once it is complete
	defer unfinished.Close()
	if err := d.write(ctx, unfinished, dump, m); err != nil {
		return Manifest{}, err
	}
	if err := errors.Join(unfinished.Sync(), unfinished.Close()); err != nil {
		return Manifest{}, fmt.Errorf("write the backup: %w", err)
	}
	if err := place(unfinished.Name(), file, os.Link); err != nil {
		return Manifest{}, err
	}
	if err := syncFolder(filepath.Dir(file)); err != nil {
		return Manifest{}, err
	}
	return m, nil
}

// write writes the checkpoints before the log, so that they never attest more than the log has.
func (d Deployment) write(ctx context.Context, w io.Writer, dump string, m Manifest) error {
	archive := zip.NewWriter(w)
	if err := d.Audit.addTo(archive); err != nil {
		return err
	}
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: databaseName, Method: zip.Store, Modified: m.StartedAt}) // pg_dump compresses
	if err != nil {
		return err
	}
	cmd, err := program(ctx, dump, d.URL, "--format=custom", "--no-owner", "--no-privileges")
	if err != nil {
		return err
	}
	var said bytes.Buffer
	into := &destination{Writer: entry}
	cmd.Stdout, cmd.Stderr = into, &said
	if err := cmd.Run(); err != nil {
		if into.err != nil { // pg_dump knows only that nobody reads on
			return fmt.Errorf("write the backup: %w", into.err)
		}
		return failure(ctx, "pg_dump", err, said.String())
	}
	encoded, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if entry, err = archive.Create(manifestName); err != nil {
		return err
	}
	if _, err := entry.Write(encoded); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return archive.Close()
}

// destination keeps why the dump could not be written.
type destination struct {
	io.Writer
	err error
}

func (d *destination) Write(p []byte) (n int, err error) {
	n, d.err = d.Writer.Write(p)
	return n, d.err
}

// place gives the finished file its name, unless there is a file of that name. On file systems without hard links, such
// as FAT and those of network shares, it first creates an empty file of that name.
func place(unfinished, file string, link func(from, to string) error) error {
	if err := link(unfinished, file); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	reserved, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(reserved.Close(), os.Rename(unfinished, file))
	if err != nil {
		err = errors.Join(err, os.Remove(file)) // an empty file would pass for a backup
	}
	return err
}

// addTo adds the folder's files, without the private key and, if the folder is Shared, without checkpoints.
func (f Folder) addTo(w *zip.Writer) error {
	if f.Path == "" {
		return nil
	}
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("audit folder: %w", err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue // a file that is being written has such a name
		}
		if e.Name() == f.Secret || f.Shared && path.Ext(e.Name()) == ".checkpoint" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(f.Path, e.Name()))
		if err != nil {
			return fmt.Errorf("audit folder: %w", err)
		}
		entry, err := w.Create(path.Join(auditPrefix, e.Name()))
		if err != nil {
			return err
		}
		if _, err := entry.Write(content); err != nil {
			return err
		}
	}
	return nil
}

// Record stores in the database when the backup was made, and what is in it.
func (d Deployment) Record(ctx context.Context, m Manifest, bytes int64) error {
	return upkeep.Record(ctx, d.Pool, upkeep.Backup, m.StartedAt, upkeep.BackupDetail{Bytes: bytes, Reports: m.Reports})
}

// failure returns the error of a program, with what it printed.
func failure(ctx context.Context, name string, err error, said string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", name, ctx.Err())
	}
	if said = strings.TrimSpace(said); said != "" {
		return fmt.Errorf("%s: %s", name, said)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func serverMajor(ctx context.Context, pool *pgxpool.Pool) (int, error) {
	return postgres.CollectOne(ctx, pool, "version of the database's server", pgx.RowTo[int], `SELECT current_setting('server_version_num')::int / 10000`)
}

// countReports returns 0 for a database without Docket's tables.
func countReports(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	const task = "count reports"
	there, err := postgres.CollectOne(ctx, pool, task, pgx.RowTo[bool], `SELECT to_regclass('core_moderation_reports') IS NOT NULL`)
	if err != nil || !there {
		return 0, err
	}
	return postgres.CollectOne(ctx, pool, task, pgx.RowTo[int64], `SELECT count(*) FROM core_moderation_reports`)
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
