// Package eventstore is the log in PostgreSQL: it appends to a report's stream, reads it, and seals every event into
// one order. Package proof proves that nobody has changed the log since.
//
// What people wrote is evidence, in a column beside the event: the event holds a salted digest of it, so the log still
// verifies and replays after evidence is erased. A trigger refuses every other change of an event.
//
// The events of a report are chained by their hashes. A command locks its report before it does anything that assigns a
// transaction id, so events of one report become visible in the order of their sequences; the Sealer relies on it. No
// row and no lock is shared by all commands, since that would cost most of the throughput. Other modules must not
// import it.
package eventstore

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Record is a stored event. Hash covers every other field but the signature; it covers the digest instead of the
// evidence, so that erasing evidence does not break the chain.
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
	Signature      []byte // Ed25519, of Hash; nil if the server that appended it had no key
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

// Event decodes the record. Erased is set if its evidence is missing.
func (r *Record) Event() (report.Event, error) {
	e, words, err := r.Parts()
	if err == nil && words != nil {
		err = r.named(report.Restore(e.Fact, words))
	}
	return e, err
}

// Parts decodes the record and returns its evidence as JSON without the salt: nil if there is none or it was erased.
func (r *Record) Parts() (e report.Event, words []byte, err error) {
	e = report.Event{ID: r.EventID, ReportID: r.ReportID, Sequence: r.Sequence, Version: r.Version,
		Type: report.Type(r.Type), ActorID: r.ActorID, OccurredAt: r.OccurredAt.UTC(),
		Erased: r.EvidenceDigest != nil && r.Evidence == nil}
	if r.Evidence != nil {
		var salted bool
		if words, salted = unsalted(r.Evidence); !salted {
			return e, nil, r.named(errors.New("the evidence has no salt"))
		}
	}
	e.Fact, err = report.Decode(e.Type, r.Payload)
	return e, words, r.named(err)
}

// named adds the event to an error's message.
func (r *Record) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("report %s sequence %d: %w", r.ReportID, r.Sequence, err)
}

// Fault is the first event of a report that differs from what was appended.
type Fault struct {
	ReportID string
	Sequence int
	Problem  string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("report %s, sequence %d: %s", f.ReportID, f.Sequence, f.Problem)
}

// genesis is what Genesis returns.
var genesis = make([]byte, sha256.Size)

// Genesis returns the previous hash of a report's first event: 32 zero bytes.
func Genesis() []byte { return slices.Clone(genesis) }

// ChainHash computes SHA-256(prev_hash ‖ canonical bytes of the event). The canonical
// bytes are `docket-event-1` and the fields in order, each after its length as eight
// big-endian bytes; numbers are decimal, times are microseconds since 1970.
func (r *Record) ChainHash() []byte {
	all := append(make([]byte, 0, 1024), r.PrevHash...)
	for _, field := range []string{"docket-event-1", r.EventID, r.ReportID, strconv.Itoa(r.Sequence), strconv.Itoa(r.Version),
		r.Type, domain.OrEmpty(r.ActorID), strconv.FormatInt(r.OccurredAt.UnixMicro(), 10), string(r.Payload), string(r.EvidenceDigest)} {
		all = append(binary.BigEndian.AppendUint64(all, uint64(len(field))), field...)
	}
	hash := sha256.Sum256(all)
	return hash[:]
}

// salted returns {"salt":"…","words":words}. Both are erased together, so that a short text cannot be guessed from the
// remaining digest. words, which may be 256 KB, must be valid JSON; they are copied only if their slice has no room for
// the prefix.
func salted(words []byte) []byte {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	head := base64.RawStdEncoding.AppendEncode([]byte(saltHead), salt)
	head = append(head, wordsHead...)
	return append(slices.Insert(words, 0, head...), '}')
}

const saltHead, wordsHead = `{"salt":"`, `","words":`

// unsalted returns the words in the result of salted, without a copy.
func unsalted(evidence []byte) (words []byte, ok bool) {
	head, words, ok := bytes.Cut(evidence, []byte(wordsHead))
	return bytes.TrimSuffix(words, []byte("}")), ok && bytes.HasPrefix(head, []byte(saltHead))
}
