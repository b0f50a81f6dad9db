package proof

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Folder stores checkpoints, and the key that signs them, outside of the database. They are proof only if those who can
// change the database cannot change them too, so copies belong elsewhere.
type Folder struct {
	Path string // "" means that none are stored and Key is needed
	// Key is the signer key; "" means the file `key`, which is created on first use.
	Key string
	// Known are further public keys for verifying checkpoints: those of other servers and former
	// ones.
	Known []string
}

const suffix = ".checkpoint"

// Keep stores a checkpoint in a file named by the last positions of log and ledger, and returns the path. It does not
// overwrite a file.
func (f Folder) Keep(c Checkpoint) (path string, err error) {
	if f.Path == "" {
		return "", nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return "", fmt.Errorf("keep a checkpoint: %w", err)
	}
	path = filepath.Join(f.Path, fmt.Sprintf("%020d-%d%s", c.N, c.Ledger, suffix))
	if err := writeWhole(path, c.Note, os.Link); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("keep a checkpoint: %w", err)
	}
	return path, nil
}

// Take makes a checkpoint of the log and stores it at the path. If nothing was appended since the last one, it returns
// that. Without a folder the path is "".
func (f Folder) Take(ctx context.Context, pool *pgxpool.Pool) (c Checkpoint, path string, err error) {
	signer, err := f.Signer()
	if err != nil {
		return Checkpoint{}, "", err
	}
	kept, err := f.Checkpoints()
	if err != nil {
		return Checkpoint{}, "", err
	}
	c, err = take(ctx, pool, kept, func(tx pgx.Tx) (Checkpoint, error) {
		c, err := Take(ctx, tx, kept, signer, time.Now())
		if err != nil {
			return c, err
		}
		if path, err = f.Keep(c); err != nil || path == "" {
			return c, err
		}
		return f.kept(path, c.Tree)
	})
	if err != nil {
		return Checkpoint{}, "", err
	}
	return c, path, nil
}

// kept returns the file's checkpoint of the tree. If two checkpoints of the same log were taken, only the first is
// stored.
func (f Folder) kept(path string, tree tlog.Tree) (Checkpoint, error) {
	known, err := f.Verifiers()
	if err != nil {
		return Checkpoint{}, err
	}
	held, err := openFile(path, known)
	if err != nil {
		return Checkpoint{}, err
	}
	for _, c := range held {
		if c.Tree == tree {
			return c, nil
		}
	}
	return Checkpoint{}, fmt.Errorf("%s holds no checkpoint of the log's %d events as they are", path, tree.N)
}

// Checkpoints returns all stored checkpoints, by size. It fails if one of them is not signed with a known key. Without
// a folder there are none.
func (f Folder) Checkpoints() ([]Checkpoint, error) {
	if paths, err := f.paths(); err != nil || len(paths) == 0 {
		return nil, err
	}
	known, err := f.Verifiers()
	if err != nil {
		return nil, err
	}
	return f.Open(known)
}

// Open is Checkpoints with the given keys.
func (f Folder) Open(known note.Verifiers) ([]Checkpoint, error) {
	paths, err := f.paths()
	if err != nil {
		return nil, err
	}
	var kept []Checkpoint
	for _, path := range paths {
		opened, err := openFile(path, known)
		if err != nil {
			return nil, err
		}
		kept = append(kept, opened...)
	}
	SortCheckpoints(kept)
	return kept, nil
}

func openFile(path string, known note.Verifiers) ([]Checkpoint, error) {
	signed, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("kept checkpoint: %w", err)
	}
	opened, err := OpenCheckpoints(signed, known)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return opened, nil
}

func (f Folder) paths() ([]string, error) {
	if f.Path == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("kept checkpoints: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(f.Path, e.Name()))
		}
	}
	return paths, nil
}

// writeWhole writes a file atomically: place moves a temporary file to the path. If place is os.Link, an existing file
// stays, and the error is fs.ErrExist.
func writeWhole(path string, content []byte, place func(temporary, path string) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(temporary.Name()) }() // it is gone if it was renamed
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = place(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
