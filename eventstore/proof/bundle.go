package proof

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Bundle proves the events of one report without a database, to anybody who has the key of its
// checkpoint: their content, order and positions. It does not prove that the last event is the
// report's last.
type Bundle struct {
	Version    int           `json:"version"` // 1
	ReportID   string        `json:"reportId"`
	Checkpoint string        `json:"checkpoint"` // a signed note
	PublicKey  string        `json:"publicKey"`  // as the bundle claims; compare it with a trusted key
	Events     []BundleEvent `json:"events"`
}

// BundleEvent is a stored event with its inclusion proof.
type BundleEvent struct {
	Position       int64            `json:"position"`
	EventID        string           `json:"eventId"`
	Sequence       int              `json:"sequence"`
	Version        int              `json:"version"`
	Type           string           `json:"type"`
	ActorID        *string          `json:"actorId"`
	OccurredAt     time.Time        `json:"occurredAt"`
	Payload        string           `json:"payload"`  // the exact bytes that were hashed
	Evidence       *string          `json:"evidence"` // likewise; null if there is none, or it was erased or left out
	EvidenceDigest []byte           `json:"evidenceDigest"`
	PrevHash       []byte           `json:"prevHash"`
	Hash           []byte           `json:"hash"`
	Proof          tlog.RecordProof `json:"proof"`
}

func (e *BundleEvent) record(reportID string) eventstore.Record {
	r := eventstore.Record{EventID: e.EventID, ReportID: reportID, Sequence: e.Sequence, Version: e.Version, Type: e.Type, ActorID: e.ActorID,
		OccurredAt: e.OccurredAt, Payload: []byte(e.Payload), EvidenceDigest: e.EvidenceDigest, PrevHash: e.PrevHash, Hash: e.Hash}
	if e.Evidence != nil {
		r.Evidence = []byte(*e.Evidence)
	}
	return r
}

// Prove makes the bundle of a report under a checkpoint. It includes what people wrote only if
// words is set, but always the digests.
func Prove(ctx context.Context, db postgres.Querier, reportID string, c Checkpoint, publicKey string, words bool) (*Bundle, error) {
	sealed, err := eventstore.ReadSealed(ctx, db, reportID)
	if err != nil {
		return nil, fmt.Errorf("prove report %s: %w", reportID, err)
	}
	if len(sealed) == 0 {
		return nil, fmt.Errorf("report %s has no sealed event", reportID)
	}
	b := &Bundle{Version: 1, ReportID: reportID, Checkpoint: string(c.Note), PublicKey: publicKey}
	t := newTree(db)
	for _, s := range sealed {
		if s.Position > c.N {
			return nil, errors.New("the checkpoint does not reach the report's last event")
		}
		e := BundleEvent{Position: s.Position, EventID: s.EventID, Sequence: s.Sequence, Version: s.Version, Type: s.Type, ActorID: s.ActorID,
			OccurredAt: s.OccurredAt, Payload: string(s.Payload), EvidenceDigest: s.EvidenceDigest, PrevHash: s.PrevHash, Hash: s.Hash}
		if words && s.Evidence != nil {
			e.Evidence = new(string(s.Evidence))
		}
		if e.Proof, err = tlog.ProveRecord(c.N, s.Position-1, t.reader(ctx)); err != nil {
			return nil, fmt.Errorf("prove position %d: %w", s.Position, err)
		}
		b.Events = append(b.Events, e)
	}
	return b, nil
}

// VerifyBundle verifies a bundle with only the known keys: the checkpoint's signature, the report's
// chain, and the position of each event under the checkpoint.
func VerifyBundle(encoded []byte, known note.Verifiers) (*Bundle, Checkpoint, error) {
	var b Bundle
	if err := json.Unmarshal(encoded, &b); err != nil {
		return nil, Checkpoint{}, fmt.Errorf("bundle: %w", err)
	}
	if b.Version != 1 {
		return nil, Checkpoint{}, fmt.Errorf("bundle: version %d is unknown", b.Version)
	}
	if len(b.Events) == 0 {
		return nil, Checkpoint{}, errors.New("bundle: it holds no event")
	}
	c, err := OpenCheckpoint([]byte(b.Checkpoint), known)
	if err != nil {
		return nil, Checkpoint{}, err
	}
	records := make([]eventstore.Record, len(b.Events))
	for i := range b.Events {
		records[i] = b.Events[i].record(b.ReportID)
	}
	if err := VerifyRecords(b.ReportID, records); err != nil {
		return nil, c, err
	}
	for i, e := range b.Events {
		fault := &eventstore.Fault{ReportID: b.ReportID, Sequence: e.Sequence}
		switch {
		case e.Position < 1 || e.Position > c.N:
			fault.Problem = "its position is not under the checkpoint"
		case tlog.CheckRecord(e.Proof, c.N, c.Hash, e.Position-1, eventstore.LeafHash(records[i])) != nil:
			fault.Problem = "it is not in the log that the checkpoint attests"
		case i > 0 && e.Position <= b.Events[i-1].Position:
			fault.Problem = "its position is before that of the event it follows"
		default:
			continue
		}
		return nil, c, fault
	}
	return &b, c, nil
}
