package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/upkeep"
)

type auditVerifyCommand struct {
	auditFolder
	Bundle     string   `help:"Check this bundle instead, without a database." placeholder:"FILE" type:"existingfile"`
	Kept       string   `help:"Checkpoints that were kept elsewhere, beside those of the folder: a file that may hold several, a folder, or - for standard input." placeholder:"PATH"`
	Key        []string `help:"A public key that events and checkpoints may be signed with, or the file that holds it, beside this server's key and DOCKET_AUDIT_KNOWN_KEYS. Repeat it for former keys and for other servers. With --bundle, only these keys count." placeholder:"KEY" sep:"none"`
	SignedFrom int64    `help:"Accept unsigned events before this position: those of a log that was begun before events were signed, or that servers of such a release append during an upgrade." placeholder:"POSITION"`
	Workers    int      `help:"Reports to check in parallel." default:"4"`
}

// errTampered means that the verification has findings.
var errTampered = errors.New("the log is not as it was appended")

// Run prints a line for each finding and a summary line.
func (c *auditVerifyCommand) Run(ctx context.Context, a *app) error {
	switch {
	case c.Workers < 1 || c.Workers > maxWorkers:
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	case c.SignedFrom < 0:
		return usageError{errors.New("--signed-from is not negative")}
	case c.Kept != "" && c.Bundle != "":
		return usageError{errors.New("a bundle holds its checkpoint: --kept excludes --bundle")}
	}
	given, err := c.given()
	if err != nil {
		return err
	}
	if c.Bundle != "" {
		return c.bundle(a, given)
	}
	if c.Folder != "" {
		if _, err := os.ReadDir(c.Folder); err != nil {
			return fmt.Errorf("folder of checkpoints: %w", err)
		}
	}
	keys, err := c.known(a, given)
	if err != nil {
		return err
	}
	return a.withAudit(ctx, c.Folder, func(db *Database, f proof.Folder) error {
		kept, err := c.checkpoints(a, f, keys)
		if err != nil {
			return err
		}
		p := a.progress("checking")
		defer p.done()
		audited, err := (&proof.Auditor{Pool: db.Pool, Sealer: db.sealer(), Checkpoints: kept, Keys: keys, SignedFrom: c.SignedFrom,
			Workers: c.Workers, Progress: p.set, Tables: proven,
			Guards: func(ctx context.Context) ([]string, error) {
				problems, err := migrations.Guards(ctx, db.Pool)
				switch {
				case errors.Is(err, migrations.ErrLater):
					fmt.Fprintf(a.stdout, "triggers were not compared: %v. Verify with that release too\n", err)
				case errors.Is(err, migrations.ErrUncompared):
					fmt.Fprintf(a.stdout, "%v. Verify as a role that may make temporary tables, too\n", err)
				default:
					return problems, err
				}
				return problems, nil
			},
			Found:  func(f proof.Finding) { fmt.Fprintln(a.stdout, f) },
			Noted:  func(line string) { fmt.Fprintln(a.stdout, line) },
			Erased: func(e proof.Erasure) { fmt.Fprintln(a.stdout, e) }}).Verify(ctx)
		if errors.Is(err, proof.ErrNoKey) {
			return fmt.Errorf("%w: give --key, DOCKET_AUDIT_KEY or DOCKET_AUDIT_KNOWN_KEYS", err)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s, %s and %s checked, %s\n", counted(audited.Reports, "report"),
			counted(audited.Positions, "position"), counted(len(kept), "checkpoint"), counted(audited.Findings, "finding"))
		switch audited.SignedFrom {
		case 0:
			fmt.Fprintln(a.stdout, "no event is signed")
		case 1:
			fmt.Fprintln(a.stdout, "every event is signed")
		default:
			fmt.Fprintf(a.stdout, "events are signed from position %d on\n", audited.SignedFrom)
		}
		if audited.Records > 0 {
			fmt.Fprintf(a.stdout, "ledger: %s of staff, mutes, policies, rules, platforms and holds checked; when it began, %s stood that no server had signed\n",
				counted(audited.Records, "record"), counted(audited.Inherited, "row"))
		}
		if len(kept) == 0 {
			fmt.Fprintln(a.stderr, "no checkpoint was kept: a log that was rewritten with all its hashes would pass")
		}
		if err := upkeep.Record(ctx, db.Pool, upkeep.Verification, time.Now(),
			upkeep.VerificationDetail{Events: audited.Positions, Checkpoints: len(kept), Findings: audited.Findings}); err != nil {
			fmt.Fprintf(a.stderr, "the panel does not show this verification: %v\n", err) // the role may only read
		}
		if audited.Findings > 0 {
			return errTampered
		}
		return nil
	})
}

// checkpoints reads the checkpoints of the folder and of --kept.
func (c *auditVerifyCommand) checkpoints(a *app, f proof.Folder, keys []string) ([]proof.Checkpoint, error) {
	known, err := proof.Verifiers(keys...)
	if err != nil {
		return nil, err
	}
	kept, err := f.Open(known)
	if err != nil || c.Kept == "" {
		return kept, err
	}
	if len(keys) == 0 {
		return nil, usageError{errors.New("give the key of the checkpoints: --key")}
	}
	elsewhere, err := a.openKept(c.Kept, known)
	if err == nil && len(elsewhere) == 0 {
		err = errors.New("it holds no checkpoint")
	}
	if err != nil {
		return nil, fmt.Errorf("kept checkpoints: %s: %w", c.Kept, err)
	}
	kept = append(kept, elsewhere...)
	proof.SortCheckpoints(kept)
	return kept, nil
}

// maxProof bounds a bundle, checkpoint or key, in bytes.
const maxProof = 256 << 20

func (a *app) openKept(path string, known note.Verifiers) ([]proof.Checkpoint, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return proof.Folder{Path: path}.Open(known)
	}
	var content []byte
	var err error
	if path == "-" {
		content, err = io.ReadAll(a.stdin)
	} else {
		content, err = readAtMost(path, maxProof)
	}
	if err != nil {
		return nil, err
	}
	return proof.OpenCheckpoints(content, known)
}

// bundle verifies a bundle under the given keys, else the known ones, else the key that the bundle
// itself names.
func (c *auditVerifyCommand) bundle(a *app, keys []string) error {
	encoded, err := readAtMost(c.Bundle, maxProof)
	if err != nil {
		return fmt.Errorf("read the bundle: %w", err)
	}
	if len(keys) == 0 {
		if keys, err = c.known(a, nil); err != nil {
			return err
		}
	}
	if len(keys) == 0 {
		var claimed proof.Bundle
		if err := json.Unmarshal(encoded, &claimed); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		keys = []string{claimed.PublicKey}
		fmt.Fprintf(a.stderr, "no key was given: the bundle is checked under the key that it claims, %s\n", claimed.PublicKey)
	}
	known, err := proof.Verifiers(keys...)
	if err != nil {
		return err
	}
	b, checkpoint, err := proof.VerifyBundle(encoded, known)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "report %s: %d events are in the log that the checkpoint of %s over %d events attests\n"+
		"this proves that each event is in the log, and not that the log holds no later event of the report: only audit verify on the whole log shows that\n",
		b.ReportID, len(b.Events), checkpoint.Taken.Format("2006-01-02T15:04:05Z07:00"), checkpoint.N)
	return nil
}
