package eventstore

import (
	"fmt"

	"github.com/docketmod/docket/domain/report"
)

// A Signer signs the hashes of events with an Ed25519 key, so that write access to the
// database alone does not suffice to append an event. It must be safe for concurrent use; the
// Signer of golang.org/x/mod/sumdb/note is one.
type Signer interface {
	Sign(hash []byte) (signature []byte, err error)
}

// NewSignedRecord is NewRecord followed by Sign.
func NewSignedRecord(e report.Event, prevHash []byte, signer Signer) (Record, error) {
	r, err := NewRecord(e, prevHash)
	if err != nil {
		return r, err
	}
	return r, r.Sign(signer)
}

// Sign signs the record's hash, unless the signer is nil.
func (r *Record) Sign(signer Signer) (err error) {
	if signer == nil {
		return nil
	}
	if r.Signature, err = signer.Sign(r.Hash); err != nil {
		return fmt.Errorf("sign event %s: %w", r.EventID, err)
	}
	return nil
}
