package proof

import (
	"bytes"
	"crypto/sha256"

	"github.com/docketmod/docket/eventstore"
)

// VerifyRecords checks the chain of one report: that sequences have no gap, that the hash
// of each event covers the one before, and that evidence matches its digest. It returns
// an *eventstore.Fault for the first event that is wrong.
func VerifyRecords(reportID string, records []eventstore.Record) error {
	c := newChain(reportID)
	for i := range records {
		if f := c.follow(&records[i]); f != nil {
			return f
		}
	}
	return nil
}

// chain checks the events of a report in order.
type chain struct {
	reportID string
	sequence int    // of the last event
	hash     []byte // of the last event
}

func newChain(reportID string) chain { return chain{reportID: reportID, hash: eventstore.Genesis()} }

// follow checks the next event. It returns nil if it is valid.
func (c *chain) follow(r *eventstore.Record) *eventstore.Fault {
	fault := func(problem string) *eventstore.Fault {
		return &eventstore.Fault{ReportID: c.reportID, Sequence: c.sequence, Problem: problem}
	}
	c.sequence++
	if r.Sequence != c.sequence {
		return fault("the event is missing")
	}
	if !bytes.Equal(r.PrevHash, c.hash) {
		return fault("it does not follow the event before it")
	}
	if !bytes.Equal(r.Hash, r.ChainHash()) {
		return fault("its content does not match its hash")
	}
	if r.Evidence != nil {
		if digest := sha256.Sum256(r.Evidence); !bytes.Equal(digest[:], r.EvidenceDigest) {
			return fault("its evidence does not match its digest")
		}
	}
	c.hash = r.Hash
	return nil
}
