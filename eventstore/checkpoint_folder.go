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
		stored, err := os.ReadFile(filepath.Join(f.Path, keyFile))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if key, err = f.makeKey(); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, fmt.Errorf("audit key: %w", err)
		default:
			key = strings.TrimSpace(string(stored))
		}
	}
	signer, err := note.NewSigner(key)
	if err != nil {
		return nil, fmt.Errorf("audit key: %w", err)
	}
	return signer, nil
}

func (f CheckpointFolder) makeKey() (string, error) {
	if f.Path == "" {
		return "", errors.New("audit key: there is neither a key nor a folder to keep one in")
	}
	private, public, err := note.GenerateKey(rand.Reader, keyName)
	if err != nil {
		return "", fmt.Errorf("make an audit key: %w", err)
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return "", fmt.Errorf("keep the audit key: %w", err)
	}
	// Exclusive: of two that make one, the second fails and finds the first's.
	file, err := os.OpenFile(filepath.Join(f.Path, keyFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", fmt.Errorf("keep the audit key: %w", err)
	}
	_, err = file.WriteString(private + "\n")
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("keep the audit key: %w", err)
	}
	return private, writeWhole(filepath.Join(f.Path, publicFile), []byte(public+"\n"))
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
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, writeWhole(path, c.Note)
}

// Take makes a checkpoint of the log and keeps it. It is the one that is kept
// already when nothing was appended since.
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
	path, err = f.Keep(c)
	return c, path, err
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
		signed, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("kept checkpoint: %w", err)
		}
		opened, err := OpenCheckpoints(signed, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		kept = append(kept, opened...)
	}
	SortCheckpoints(kept)
	return kept, nil
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

// writeWhole writes a file that is either there whole or not at all.
func writeWhole(path string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temporary.Name()))
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
