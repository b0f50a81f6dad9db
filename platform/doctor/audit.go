package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/docketmod/docket/platform/upkeep"
)

// checkpointOld is the maximum age of a checkpoint.
const checkpointOld = 3 * time.Hour

// Audit configures the check of the checkpoints and of the last verification of the log.
type Audit struct {
	DB     upkeep.DB
	Now    func() time.Time
	Folder string // "" for none
	Posted bool   // DOCKET_AUDIT_URL is set
	// Key checks the key and the stored checkpoints, and Writable the folder.
	Key, Writable func() error
}

// Check checks that the log is signed, and what its last verification found.
func (a Audit) Check() Check {
	return Check{Name: "audit", Run: func(ctx context.Context) []Finding {
		if a.Folder == "" && !a.Posted {
			return bad(Warning, "nowhere", "Checkpoints of the log are kept nowhere: a history that is rewritten whole would not be noticed.",
				"Set DOCKET_AUDIT_DIR to a folder that backups take along, or DOCKET_AUDIT_URL to a receiver.")
		}
		if err := a.Writable(); err != nil {
			return bad(Fault, "folder", "The audit folder cannot be used: "+withoutURL(err)+".", "Let the server's account own the folder of DOCKET_AUDIT_DIR, with mode 0700.")
		}
		if err := a.Key(); err != nil {
			return bad(Fault, "key", "The audit key cannot be used: "+err.Error()+".",
				"Restore DOCKET_AUDIT_KEY, or the file key of the audit folder, from where it is kept. A new key attests nothing that an old one signed.")
		}
		last, err := upkeep.Last(ctx, a.DB)
		if err != nil {
			return unexamined(err)
		}
		return a.lately(last)
	}}
}

func (a Audit) lately(last map[upkeep.Name]upkeep.Done) []Finding {
	verified, ever := last[upkeep.Verification]
	var seen upkeep.VerificationDetail
	if ever && json.Unmarshal(verified.Detail, &seen) == nil && seen.Findings > 0 {
		return bad(Fault, "tampered", fmt.Sprintf("The last verification of the log found %d faults.", seen.Findings),
			"Run docket audit verify: it names each event. Compare with a backup before anything is changed.")
	}
	if signed, ever := last[upkeep.Checkpoint]; ever && a.Now().Sub(signed.At) > checkpointOld {
		return bad(Warning, "checkpoint_old", fmt.Sprintf("The log was last signed %s ago.", a.Now().Sub(signed.At).Round(time.Hour)),
			"Look at the job audit:checkpoint, which signs it each hour.")
	}
	if !ever {
		return bad(Warning, "unverified", "The log was never verified.", "Run docket audit verify, and again each month by a timer.")
	}
	return fine("The log is signed, and was verified %s ago.", a.Now().Sub(verified.At).Round(time.Hour))
}
