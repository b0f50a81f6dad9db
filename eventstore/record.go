// Package eventstore is the log in PostgreSQL: it appends to a report's stream, reads
// it, and seals every event into one order. Package proof shows that nobody has changed
// the log since.
//
// What people wrote is evidence, in a column beside the event: the event holds a salted
// digest of it, so words can be erased while the log still verifies and replays. A trigger
// refuses every other change of an event.
//
// The events of a report are chained by their hashes. A command locks its report before it
// does anything that assigns a transaction id, so events of one report become visible in
// the order of their sequences; the Sealer relies on it. No row and no lock is shared by
// all commands, since that would cost most of the throughput. It is not for import.
package eventstore

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Record is an event as it is stored. Hash covers every field but the signature, and of
// the evidence the digest, so that erasing evidence keeps the chain whole.
type Record struct {
	EventID        string
	ReportID       string
	Sequence       int
	Version        int
	Type           string
	Payload        []byte
	Evidence       []byte // salted JSON; nil if there was none or it was erased
	EvidenceDigest []byte // SHA-256 of the evidence; nil if there was none
	ActorID        *string
	OccurredAt     time.Time
	PrevHash       []byte // 32 zero bytes for the first event of a report
	Hash           []byte
	Signature      []byte // Ed25519, of Hash; nil if the server that appended it signed nothing
}

// NewRecord encodes an event that follows the event with the hash prevHash in its report.
func NewRecord(e report.Event, prevHash []byte) (Record, error) {
	payload, words, err := report.Encode(e.Fact)
	if err != nil {
		return Record{}, err
	}
	r := Record{EventID: e.ID, ReportID: e.ReportID, Sequence: e.Sequence, Version: e.Version, Type: string(e.Type),
		Payload: payload, ActorID: e.ActorID, OccurredAt: e.OccurredAt, PrevHash: prevHash}
	if words != nil {
		r.Evidence = salted(words)
		digest := sha256.Sum256(r.Evidence)
		r.EvidenceDigest = digest[:]
	}
	r.Hash = r.ChainHash()
	return r, nil
}

// Event decodes the record. Erased is set if its evidence is gone.
func (r *Record) Event() (report.Event, error) {
	e := report.Event{ID: r.EventID, ReportID: r.ReportID, Sequence: r.Sequence, Version: r.Version,
		Type: report.Type(r.Type), ActorID: r.ActorID, OccurredAt: r.OccurredAt.UTC(),
		Erased: r.EvidenceDigest != nil && r.Evidence == nil}
	var words []byte
	if r.Evidence != nil {
		var salted saltedEvidence
		if err := json.Unmarshal(r.Evidence, &salted); err != nil {
			return e, fmt.Errorf("report %s sequence %d: read evidence: %w", r.ReportID, r.Sequence, err)
		}
		words = salted.Words
	}
	var err error
	if e.Fact, err = report.Decode(e.Type, r.Payload, words); err != nil {
		return e, fmt.Errorf("report %s sequence %d: %w", r.ReportID, r.Sequence, err)
	}
	return e, nil
}

// Fault names the first event of a report that is not as it was appended.
type Fault struct {
	ReportID string
	Sequence int
	Problem  string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("report %s, sequence %d: %s", f.ReportID, f.Sequence, f.Problem)
}
