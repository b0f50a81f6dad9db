package proof

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// The files of a folder's private key and its public half.
const (
	KeyFile    = "key"
	publicFile = "key.pub"
)

// KeyName is the name of a newly made key. Signatures show it before the key's hash.
const KeyName = "docket-audit"

// Key signs events and checkpoints.
type Key struct {
	note.Signer
	Public string // the public half, in the form of package note
}

// NewKey parses a key in the format of package note.
func NewKey(private string) (Key, error) {
	signer, err := note.NewSigner(private)
	if err != nil {
		return Key{}, fmt.Errorf("audit key: %w", err)
	}
	public, err := publicOf(private)
	return Key{Signer: signer, Public: public}, err
}

// Signer returns the key of the field Key, or else of the folder's file, which it creates if needed, with a file of the
// public half.
func (f Folder) Signer() (Key, error) {
	key := f.Key
	if key == "" {
		stored, err := f.storedKey()
		if err != nil {
			return Key{}, err
		}
		key = stored
	}
	return NewKey(key)
}

// storedKey reads the key's file, or creates it.
func (f Folder) storedKey() (string, error) {
	path := filepath.Join(f.Path, KeyFile)
	stored, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.makeKey(path); err != nil {
			return "", err
		}
		if stored, err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("audit key: %s is missing, and its public half is there: put the key back, which no backup holds; "+
				"if it is lost, move %s into DOCKET_AUDIT_KNOWN_KEYS, and a new key is made", path, publicFile)
		}
	}
	if err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	return strings.TrimSpace(string(stored)), nil
}

// makeKey makes the key, unless another server has made one in the meantime. It makes none if there is a public half
// without its key: overwriting that would make the missing key's signatures unverifiable.
func (f Folder) makeKey(path string) error {
	if f.Path == "" {
		return errors.New("audit key: there is neither a key nor a folder to keep one in")
	}
	if _, err := os.Stat(filepath.Join(f.Path, publicFile)); err == nil {
		return nil
	}
	private, public, err := note.GenerateKey(rand.Reader, KeyName)
	if err != nil {
		return fmt.Errorf("make an audit key: %w", err)
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return fmt.Errorf("keep the audit key: %w", err)
	}
	err = writeWhole(path, []byte(private+"\n"), os.Link)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep the audit key: %w", err)
	}
	return writeWhole(filepath.Join(f.Path, publicFile), []byte(public+"\n"), os.Rename)
}

// PublicKey returns the verifier key of the signer.
func (f Folder) PublicKey() (string, error) {
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
	private, err := os.ReadFile(filepath.Join(f.Path, KeyFile))
	if err != nil {
		return "", fmt.Errorf("audit key: %w", err)
	}
	return publicOf(strings.TrimSpace(string(private)))
}

// Verifiers returns the verifiers of the folder's key and of the further known keys.
func (f Folder) Verifiers() (note.Verifiers, error) {
	public, err := f.PublicKey()
	if err != nil {
		return nil, err
	}
	return Verifiers(append([]string{public}, f.Known...)...)
}

// Verifiers returns the verifiers of public keys.
func Verifiers(public ...string) (note.Verifiers, error) {
	keys, err := parseKeys(public)
	if err != nil {
		return nil, err
	}
	return note.VerifierList(keys...), nil
}

// parseKeys parses public keys and drops repeated ones, which note.VerifierList considers
// ambiguous.
func parseKeys(public []string) (keys []note.Verifier, err error) {
	seen := map[string]bool{}
	for _, key := range public {
		if seen[key] {
			continue
		}
		seen[key] = true
		v, err := note.NewVerifier(key)
		if err != nil {
			return nil, fmt.Errorf("audit key %q: %w", key, err)
		}
		keys = append(keys, v)
	}
	return keys, nil
}

// publicOf derives the verifier key from a signer key, which has the form
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
		return "", errors.New("audit key: it is not an Ed25519 key")
	}
	return note.NewEd25519VerifierKey(parts[2], pub)
}
