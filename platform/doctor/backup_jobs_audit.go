package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/upkeep"
)

// The maximum ages of a backup and a checkpoint.
const (
	backupOld     = 36 * time.Hour
	checkpointOld = 3 * time.Hour
)

// Backup checks the age of the last backup.
func Backup(db upkeep.DB, now func() time.Time) Check {
	return Check{Name: "backup", Run: func(ctx context.Context) []Finding {
		const advice = "Run docket backup every night by a timer, keep the files on another machine, and restore one now and then."
		last, err := upkeep.Last(ctx, db)
		if err != nil {
			return unexamined(err)
		}
		made, ever := last[upkeep.Backup]
		age := now().Sub(made.At)
		switch {
		case !ever:
			return bad(Warning, "never", "No backup has been made yet.", advice)
		case age > backupOld:
			return bad(Warning, "old", fmt.Sprintf("The last backup was made %s ago.", age.Round(time.Hour)), advice)
		}
		return fine("The last backup was made %s ago.", age.Round(time.Minute))
	}}
}

// Cron checks that scheduled jobs run. defaultSecret means that the publicly known secret is in
// use.
func Cron(health func(context.Context) (cron.Health, error), defaultSecret bool) Check {
	return Check{Name: "jobs", Run: func(ctx context.Context) []Finding {
		jobs, err := health(ctx)
		switch {
		case err != nil:
			return unexamined(err)
		case jobs.Stale && jobs.OverdueJobs == 0:
			return bad(Fault, "overdue", "No scheduler has called of late.", scheduler)
		case jobs.OverdueJobs > 0:
			late := "1 scheduled job has"
			if jobs.OverdueJobs > 1 {
				late = fmt.Sprintf("%d scheduled jobs have", jobs.OverdueJobs)
			}
			return bad(Fault, "overdue", late+" not run when due.", scheduler)
		}
		var found []Finding
		if defaultSecret {
			found = bad(Warning, "default_secret", "CRON_SECRET is the public default: anybody may run the jobs.", "Set CRON_SECRET to a secret: openssl rand -hex 24.")
		}
		if jobs.LastRun == nil {
			found = append(found, bad(Off, "never", "No scheduler has called yet.", scheduler)...)
		}
		if found == nil {
			return fine("Scheduled jobs run.")
		}
		return found
	}}
}

const scheduler = "Set CRON_ADAPTER=inprocess, or let a scheduler post to /api/@platform/core/cron each minute with CRON_SECRET."

// Platforms checks that there is something to moderate. declared reports whether a plugin is
// loaded, or a platform is connected.
func Platforms(declared func(context.Context) (bool, error)) Check {
	return Check{Name: "platforms", Run: func(ctx context.Context) []Finding {
		is, err := declared(ctx)
		if err != nil {
			return unexamined(err)
		}
		if !is {
			return bad(Off, "none", "Nothing to moderate is declared.", "Connect a platform: under Administration, Platforms, or give its manifest to docket serve --plugin or DOCKET_PLUGINS, see docs/plugins.md.")
		}
		return fine("There is something to moderate.")
	}}
}

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
