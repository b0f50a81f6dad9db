package eventstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
)

// A Fault is the first event of a report that is not as it was appended.
type Fault struct {
	ReportID string
	Sequence int
	Problem  string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("report %s, sequence %d: %s", f.ReportID, f.Sequence, f.Problem)
}

// VerifyStream checks the chain of one report: sequences without gaps, each
// event hashed behind the one before, evidence as its digest says. It returns a
// *Fault for the first event that is wrong.
func VerifyStream(ctx context.Context, db querier, reportID string) error {
	records, err := LoadRecords(ctx, db, reportID)
	if err != nil {
		return err
	}
	return VerifyRecords(reportID, records)
}

// VerifyRecords is VerifyStream over records that were read already.
func VerifyRecords(reportID string, records []Record) error {
	if f := chainFault(reportID, records); f != nil {
		return f
	}
	return nil
}

// chainFault is the first fault of a report's records, nil when there is none.
func chainFault(reportID string, records []Record) *Fault {
	prev := genesis
	for i := range records {
		r := &records[i]
		fault := func(problem string) *Fault { return &Fault{reportID, r.Sequence, problem} }
		digest := sha256.Sum256(r.Evidence)
		switch {
		case r.Sequence != i+1:
			return &Fault{reportID, i + 1, "the event is missing"}
		case !bytes.Equal(r.PrevHash, prev):
			return fault("it does not follow the event before it")
		case !bytes.Equal(r.Hash, r.chainHash()):
			return fault("its content does not match its hash")
		case r.Evidence != nil && !bytes.Equal(digest[:], r.EvidenceDigest):
			return fault("its evidence does not match its digest")
		}
		prev = r.Hash
	}
	return nil
}
