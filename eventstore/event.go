// Package eventstore is the log in PostgreSQL: appending to a report's stream,
// reading it, sealing every event into one order, and verifying all of it.
package eventstore

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Record is an event as its row holds it. Hash covers the stored bytes and
// leaves the transaction id and the evidence itself out, so that erasing
// evidence keeps the chain whole.
type Record struct {
	EventID        string
	ReportID       string
	Sequence       int
	Version        int
	Type           string
	Payload        []byte
	Evidence       []byte // salted JSON; nil where there was none or it was erased
	EvidenceDigest []byte // SHA-256 of the evidence; nil where there was none
	ActorID        *string
	OccurredAt     time.Time
	PrevHash       []byte // 32 zero bytes for the first event of a report
	Hash           []byte
}

// genesis is the previous hash of a report's first event.
var genesis = make([]byte, sha256.Size)

// saltedEvidence is evidence with its salt: both go together when it is erased,
// so that a short text cannot be guessed from the digest that stays.
type saltedEvidence struct {
	Salt  string          `json:"salt"`
	Words json.RawMessage `json:"words"`
}

// NewRecord puts an event behind prevHash in the chain of its report.
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
	r.Hash = r.chainHash()
	return r, nil
}

// salted is the JSON of saltedEvidence, without reading through the words that
// were encoded just now. It moves them within their own memory where that has
// room, since they may be 256 KB.
func salted(words []byte) []byte {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	head := base64.RawStdEncoding.AppendEncode([]byte(`{"salt":"`), salt)
	head = append(head, `","words":`...)
	return append(slices.Insert(words, 0, head...), '}')
}

// chainHash is SHA-256(prev_hash ‖ canonical bytes of the event). The canonical
// bytes are `docket-event-1` and the fields in order, each behind its length as
// eight big-endian bytes; numbers in decimal, time in microseconds since 1970.
func (r *Record) chainHash() []byte {
	h := sha256.New()
	h.Write(r.PrevHash)
	write := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	actor := ""
	if r.ActorID != nil {
		actor = *r.ActorID
	}
	for _, field := range []string{"docket-event-1", r.EventID, r.ReportID, strconv.Itoa(r.Sequence), strconv.Itoa(r.Version),
		r.Type, actor, strconv.FormatInt(r.OccurredAt.UnixMicro(), 10)} {
		write([]byte(field))
	}
	write(r.Payload)
	write(r.EvidenceDigest)
	return h.Sum(nil)
}

// Event decodes the record. An event whose evidence is gone says so.
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
