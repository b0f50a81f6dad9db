package proof

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"
)

// signers are the keys that events may be signed with. It is safe for concurrent use.
type signers struct {
	keys []ed25519.PublicKey
	last atomic.Int64 // the index of the key that matched last
}

// signedHash is a hash with its signature.
type signedHash struct{ hash, signature []byte }

// newSigners parses public keys in the form of package note.
func newSigners(public []string) (*signers, error) {
	s := &signers{}
	for _, key := range public {
		k, err := parsePublicKey(key)
		if err != nil {
			return nil, fmt.Errorf("audit key %q: %w", key, err)
		}
		s.keys = append(s.keys, k)
	}
	return s, nil
}

// parsePublicKey parses `name+hash+base64(1, key)`.
func parsePublicKey(key string) (ed25519.PublicKey, error) {
	if _, err := note.NewVerifier(key); err != nil {
		return nil, err
	}
	parts := strings.SplitN(key, "+", 3)
	encoded, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, err
	}
	return ed25519.PublicKey(encoded[1:]), nil
}

// invalid returns the indexes of the signatures that no key made.
func (s *signers) invalid(signed []signedHash) (wrong []int) {
	for i, e := range signed {
		if !s.valid(e) {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// valid reports whether one of the keys made the signature. It first tries the key that
// matched last, since consecutive events often come from one server.
func (s *signers) valid(e signedHash) bool {
	last := int(s.last.Load())
	for i := range s.keys {
		at := (last + i) % len(s.keys)
		if ed25519.Verify(s.keys[at], e.hash, e.signature) {
			s.last.Store(int64(at))
			return true
		}
	}
	return false
}
