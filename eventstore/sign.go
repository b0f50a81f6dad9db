package eventstore

import "fmt"

// A Signer signs the hashes of events with an Ed25519 key. Whoever can write to the database
// but does not have the key cannot append an event. It must be safe for concurrent use; the
// Signer of golang.org/x/mod/sumdb/note is one.
type Signer interface {
	Sign(hash []byte) (signature []byte, err error)
}

// sign signs the record's hash, unless the store has no signer.
func (s *Store) sign(r *Record) (err error) {
	if s.signer == nil {
		return nil
	}
	if r.Signature, err = s.signer.Sign(r.Hash); err != nil {
		return fmt.Errorf("sign event %s: %w", r.EventID, err)
	}
	return nil
}
