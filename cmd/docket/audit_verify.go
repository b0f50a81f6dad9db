package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore"
)

type auditVerifyCommand struct {
	auditFolder
	Bundle  string `help:"Check this bundle instead, with no database." placeholder:"FILE" type:"existingfile"`
	Kept    string `help:"Checkpoints that were kept elsewhere, beside those of the folder: a file that may hold several, a folder, or - for standard input." placeholder:"PATH"`
	Key     string `help:"With --bundle or --kept: the public key that you trust, or the file that holds it." placeholder:"KEY"`
	Workers int    `help:"Reports checked side by side." default:"4"`
}

// errTampered makes the exit status of a verification that found something.
var errTampered = errors.New("the log is not as it was appended")

// Run prints each finding, a line each, and a line of what was checked.
func (c *auditVerifyCommand) Run(ctx context.Context, a *app) error {
	switch {
	case c.Workers < 1 || c.Workers > maxWorkers:
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	case c.Key != "" && c.Bundle == "" && c.Kept == "":
		return usageError{errors.New("--key goes with --bundle or --kept")}
	case c.Kept != "" && c.Bundle != "":
		return usageError{errors.New("a bundle brings its checkpoint: --kept does not go with --bundle")}
	case c.Bundle != "":
		return c.bundle(a)
	}
	if c.Folder != "" {
		if _, err := os.ReadDir(c.Folder); err != nil {
			return fmt.Errorf("folder of checkpoints: %w", err)
		}
	}
	return a.withAudit(ctx, c.Folder, func(db *Database, f eventstore.CheckpointFolder, sealer *eventstore.Sealer) error {
		kept, err := f.Checkpoints()
		if err != nil {
			return err
		}
		elsewhere, err := c.elsewhere(a)
		if err != nil {
			return err
		}
		kept = append(kept, elsewhere...)
		eventstore.SortCheckpoints(kept)
		p := a.progress("checking")
		defer p.done()
		audited, err := (&eventstore.Auditor{Pool: db.Pool, Sealer: sealer, Checkpoints: kept, Workers: c.Workers, Progress: p.set,
			Found: func(f eventstore.Finding) { fmt.Fprintln(a.stdout, f) }}).Verify(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d reports, %d positions and %d checkpoints checked, %d findings\n",
			audited.Reports, audited.Positions, len(kept), audited.Findings)
		if len(kept) == 0 {
			fmt.Fprintln(a.stderr, "no checkpoint was kept: a history rewritten with all its hashes would look whole")
		}
		if audited.Findings > 0 {
			return errTampered
		}
		return nil
	})
}

// elsewhere reads the checkpoints of --kept, under the key that was given, else
// the one of the folder.
func (c *auditVerifyCommand) elsewhere(a *app) ([]eventstore.Checkpoint, error) {
	if c.Kept == "" {
		return nil, nil
	}
	key, err := c.trusted(a)
	if err != nil {
		return nil, err
	}
	if key == "" {
		return nil, usageError{errors.New("say under which key the checkpoints are to be checked: --key")}
	}
	known, err := eventstore.Verifiers(key)
	if err != nil {
		return nil, err
	}
	kept, err := a.openKept(c.Kept, known)
	if err == nil && len(kept) == 0 {
		err = errors.New("there is no checkpoint in it")
	}
	if err != nil {
		return nil, fmt.Errorf("kept checkpoints: %s: %w", c.Kept, err)
	}
	return kept, nil
}

// maxProof is more than any bundle, checkpoint or key has, in bytes.
const maxProof = 256 << 20

func (a *app) openKept(path string, known note.Verifiers) ([]eventstore.Checkpoint, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return eventstore.CheckpointFolder{Path: path}.Open(known)
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
	return eventstore.OpenCheckpoints(content, known)
}

// bundle checks a bundle under the key that was given, else the one of the
// folder, else the one that the bundle claims.
func (c *auditVerifyCommand) bundle(a *app) error {
	encoded, err := readAtMost(c.Bundle, maxProof)
	if err != nil {
		return fmt.Errorf("read the bundle: %w", err)
	}
	key, err := c.trusted(a)
	if err != nil {
		return err
	}
	if key == "" {
		var claimed eventstore.Bundle
		if err := json.Unmarshal(encoded, &claimed); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		key = claimed.PublicKey
		fmt.Fprintf(a.stderr, "no key was given: the bundle is checked under the key that it claims itself, %s\n", key)
	}
	known, err := eventstore.Verifiers(key)
	if err != nil {
		return err
	}
	b, checkpoint, err := eventstore.VerifyBundle(encoded, known)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "report %s: %d events are in the log that the checkpoint of %s over %d events attests\n",
		b.ReportID, len(b.Events), checkpoint.Taken.Format("2006-01-02T15:04:05Z07:00"), checkpoint.N)
	return nil
}

func (c *auditVerifyCommand) trusted(a *app) (string, error) {
	if c.Key != "" {
		if stored, err := readAtMost(c.Key, maxProof); err == nil {
			return strings.TrimSpace(string(stored)), nil
		}
		return c.Key, nil
	}
	f := eventstore.CheckpointFolder{Path: c.Folder}
	if f.Path == "" {
		cfg, err := a.config()
		if err != nil {
			return "", err
		}
		f = cfg.checkpoints()
	}
	if f.Path == "" && f.Key == "" {
		return "", nil
	}
	public, err := f.PublicKey()
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return public, err
}
