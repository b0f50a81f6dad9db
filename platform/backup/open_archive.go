package backup

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// errDamaged is wrapped by errors about a backup's file.
var errDamaged = errors.New("the backup is damaged or was cut short")

// Archive is a backup that is open for reading.
type Archive struct {
	Manifest
	// Audit has the files of the audit folder by name.
	Audit map[string][]byte

	zip      *zip.ReadCloser
	database *zip.File
}

// Open opens a backup and checks every byte of it.
func Open(file string) (*Archive, error) {
	r, err := zip.OpenReader(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("open the backup: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	a := &Archive{zip: r, Audit: map[string][]byte{}}
	if err := a.read(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return a, nil
}

func (a *Archive) read() error {
	if len(a.zip.File) > maxAuditFiles {
		return fmt.Errorf("%w: too many files", errDamaged)
	}
	whole := false
	for _, f := range a.zip.File {
		name, audit := strings.CutPrefix(f.Name, auditPrefix)
		switch {
		case f.Name == manifestName:
			text, err := readEntry(f, maxManifest)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(text, &a.Manifest); err != nil {
				return fmt.Errorf("%w: %s: %w", errDamaged, f.Name, err)
			}
			whole = true
		case f.Name == databaseName:
			if err := copyEntry(io.Discard, f); err != nil {
				return err
			}
			a.database = f
		case audit && name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\`):
			text, err := readEntry(f, maxAuditFile)
			if err != nil {
				return err
			}
			a.Audit[name] = text
		default:
			return fmt.Errorf("%w: unexpected entry %q", errDamaged, f.Name)
		}
	}
	switch {
	case !whole || a.database == nil:
		return fmt.Errorf("%w: a part is missing", errDamaged)
	case a.Format != format:
		return fmt.Errorf("the backup has format %d; this version of docket reads %d", a.Format, format)
	}
	return nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.zip.Close() }

func readEntry(f *zip.File, limit uint64) ([]byte, error) {
	if f.UncompressedSize64 > limit {
		return nil, fmt.Errorf("%w: %s is too large", errDamaged, f.Name)
	}
	var text strings.Builder
	err := copyEntry(&text, f)
	return []byte(text.String()), err
}

// copyEntry copies an entry. The reader verifies its checksum at the end.
func copyEntry(w io.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %s: %w", errDamaged, f.Name, err)
	}
	defer r.Close()
	if _, err := io.Copy(w, r); err != nil { //nolint:gosec // the operator's own file, and it goes to a program or nowhere
		return fmt.Errorf("%w: %s: %w", errDamaged, f.Name, err)
	}
	return nil
}
