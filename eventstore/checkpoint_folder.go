package eventstore

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// CheckpointFolder keeps checkpoints and the key that signs them outside of the
// database. Its checkpoints are worth as much as they are out of reach of
// whoever could change the database: copy them elsewhere.
type CheckpointFolder struct {
	Path string // "": none are kept, and Key is needed
	// Key is the signer key; "" uses the file `key`, which is made when first needed.
	Key string
}

const (
	keyFile    = "key"
	publicFile = "key.pub"
	suffix     = ".checkpoint"
	// keyName is the name that a made key signs under.
	keyName = "docket-audit"
)

// Signer is the key that checkpoints are signed with. The public half is kept
// beside it.
func (f CheckpointFolder) Signer() (note.Signer, error) {
	key := f.Key
	if key == "" {
		stored, err := f.storedKey()
		if err != nil {
			return nil, err
		}
		key = stored
	}
	signer, err := note.NewSigner(key)
	if err != nil {
		return nil, fmt.Errorf("audit key: %w", err)
	}
	return signer, nil
}

// storedKey reads the key's file, which it makes where there is none.
func (f CheckpointFolder) storedKey() (string, error) {
	path := filepath.Join(f.Path, keyFile)
	stored, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.makeKey(path); err != nil {
			return "", err
		}
		stored, err = os.ReadFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	return strings.TrimSpace(string(stored)), nil
}

// makeKey makes the key, unless another has made one meanwhile.
func (f CheckpointFolder) makeKey(path string) error {
	if f.Path == "" {
		return errors.New("audit key: there is neither a key nor a folder to keep one in")
	}
	private, public, err := note.GenerateKey(rand.Reader, keyName)
	if err != nil {
		return fmt.Errorf("make an audit key: %w", err)
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return fmt.Errorf("keep the audit key: %w", err)
	}
	err = writeNew(path, []byte(private+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep the audit key: %w", err)
	}
	return writeWhole(filepath.Join(f.Path, publicFile), []byte(public+"\n"), os.Rename)
}

// PublicKey is the verifier key that belongs to the signer.
func (f CheckpointFolder) PublicKey() (string, error) {
	if f.Key != "" {
		return publicOf(f.Key)
	}
	stored, err := os.ReadFile(filepath.Join(f.Path, publicFile))
	if err == nil {
		return strings.TrimSpace(string(stored)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("audit key: %w", err)
	}
	private, err := os.ReadFile(filepath.Join(f.Path, keyFile))
	if err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	return publicOf(strings.TrimSpace(string(private)))
}

// Keep stores a checkpoint under its size; one of the same size stays.
func (f CheckpointFolder) Keep(c Checkpoint) (path string, err error) {
	if f.Path == "" {
		return "", nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return "", fmt.Errorf("keep a checkpoint: %w", err)
	}
	path = filepath.Join(f.Path, fmt.Sprintf("%020d%s", c.N, suffix))
	if err := writeNew(path, c.Note); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("keep a checkpoint: %w", err)
	}
	return path, nil
}

// Take makes a checkpoint of the log and keeps it at the path. It is the one that
// is kept already when nothing was appended since. Without the folder the path is "".
func (f CheckpointFolder) Take(ctx context.Context, db querier) (c Checkpoint, path string, err error) {
	signer, err := f.Signer()
	if err != nil {
		return Checkpoint{}, "", err
	}
	kept, err := f.Checkpoints()
	if err != nil {
		return Checkpoint{}, "", err
	}
	if c, err = Take(ctx, db, kept, signer, time.Now()); err != nil {
		return Checkpoint{}, "", err
	}
	if path, err = f.Keep(c); err != nil || path == "" {
		return c, "", err
	}
	if c, err = f.kept(path, c.Tree); err != nil {
		return Checkpoint{}, "", err
	}
	return c, path, nil
}

// kept gives the checkpoint of the tree that the file holds: of two that were taken
// of the same log, one was kept.
func (f CheckpointFolder) kept(path string, tree tlog.Tree) (Checkpoint, error) {
	public, err := f.PublicKey()
	if err != nil {
		return Checkpoint{}, err
	}
	known, err := Verifiers(public)
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

// Checkpoints are all that were kept and signed with the folder's key, by size.
// One that was tampered with is an error. Without the folder there are none.
func (f CheckpointFolder) Checkpoints() ([]Checkpoint, error) {
	if paths, err := f.paths(); err != nil || len(paths) == 0 {
		return nil, err
	}
	public, err := f.PublicKey()
	if err != nil {
		return nil, err
	}
	known, err := Verifiers(public)
	if err != nil {
		return nil, err
	}
	return f.Open(known)
}

// Open is Checkpoints under keys that are known from elsewhere.
func (f CheckpointFolder) Open(known note.Verifiers) ([]Checkpoint, error) {
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

func (f CheckpointFolder) paths() ([]string, error) {
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

// Verifiers knows one public key.
func Verifiers(public string) (note.Verifiers, error) {
	v, err := note.NewVerifier(public)
	if err != nil {
		return nil, fmt.Errorf("audit key: %w", err)
	}
	return note.VerifierList(v), nil
}

// writeNew writes a file that is either there whole or not at all. One that is
// there already stays, and the error is fs.ErrExist.
func writeNew(path string, content []byte) error { return writeWhole(path, content, os.Link) }

// writeWhole puts a file in its place once it is written.
func writeWhole(path string, content []byte, place func(temporary, path string) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(temporary.Name()) }() // it is gone where it was renamed
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = place(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// publicOf derives the verifier key of a signer key, whose form is
// `PRIVATE+KEY+name+hash+base64(1, seed)`.
func publicOf(private string) (string, error) {
	if _, err := note.NewSigner(private); err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	parts := strings.SplitN(private, "+", 5)
	key, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	pub, ok := ed25519.NewKeyFromSeed(key[1:]).Public().(ed25519.PublicKey)
	if !ok {
		return "", errors.New("audit key: it is no Ed25519 key")
	}
	return note.NewEd25519VerifierKey(parts[2], pub)
}
