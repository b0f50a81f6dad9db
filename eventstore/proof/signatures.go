package proof

import (
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"
)

// signers are the known keys that may have signed events. It is safe for concurrent use.
type signers struct {
	keys []note.Verifier
	last atomic.Int64 // the index of the key that matched last
}

// valid reports whether one of the keys signed the hash. It tries the last matching key first, since consecutive events
// often come from one server.
func (s *signers) valid(hash, signature []byte) bool {
	last := int(s.last.Load())
	for i := range s.keys {
		at := (last + i) % len(s.keys)
		if s.keys[at].Verify(hash, signature) {
			s.last.Store(int64(at))
			return true
		}
	}
	return false
}
