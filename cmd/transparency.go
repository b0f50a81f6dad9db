package cmd

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/docketmod/docket/domain/transparency"
	"github.com/docketmod/docket/eventstore/proof"
)

type transparencyCommand struct {
	Verify transparencyVerifyCommand `cmd:"" help:"Count a published report again from an exported log, without a database."`
}

type transparencyVerifyCommand struct {
	Report string   `arg:"" help:"The report as JSON." type:"existingfile"`
	Log    string   `help:"The log as docket audit export writes it (ndjson), from its beginning." required:"" placeholder:"EXPORT" type:"existingfile"`
	Key    []string `help:"A public key that the report may be signed with, or the file that holds it, beside those of the settings." placeholder:"KEY" sep:"none"`
}

// errNotTheReport means that the report differs from the log.
var errNotTheReport = errors.New("the report is not what the log says")

// maxReport bounds a report, in bytes.
const maxReport = 16 << 20

// Run prints a line for each difference between the report and the log, and fails if there is one.
func (c *transparencyVerifyCommand) Run(_ context.Context, a *app) error {
	encoded, err := readAtMost(c.Report, maxReport)
	if err != nil {
		return fmt.Errorf("read the report: %w", err)
	}
	var r transparency.Report
	if err := json.Unmarshal(encoded, &r); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	since, until, err := r.Days()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	q, err := transparency.NewQuery(r.QueryVersion, since, until)
	if err != nil {
		return err
	}
	log, err := os.Open(c.Log)
	if err != nil {
		return fmt.Errorf("read the export: %w", err)
	}
	defer func() { _ = log.Close() }()
	found := 0
	say := func(line string) { found++; fmt.Fprintln(a.stdout, line) }
	if err := c.note(a, &r); err != nil {
		say(err.Error())
	}
	root, err := proof.ReadExport(log, r.Position, q.Apply)
	if err != nil {
		say(err.Error())
		return errNotTheReport
	}
	if hex.EncodeToString(root) != r.RootHash {
		say(fmt.Sprintf("the log up to position %d has the root %x, the report says %s", r.Position, root, r.RootHash))
	}
	for _, d := range r.Differences(q.Cells()) {
		say(d)
	}
	if found > 0 {
		return errNotTheReport
	}
	fmt.Fprintf(a.stdout, "%d cells are what %d positions of the log say\n", len(r.Cells), r.Position)
	return nil
}

// note verifies the signature under the known keys. Without any key it says so.
func (c *transparencyVerifyCommand) note(a *app, r *transparency.Report) error {
	verify := auditVerifyCommand{Key: c.Key}
	given, err := verify.given()
	if err != nil {
		return err
	}
	keys, err := verify.known(a, given)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		fmt.Fprintln(a.stderr, "no key was given: whose report it is was not checked")
		return nil
	}
	known, err := proof.Verifiers(keys...)
	if err != nil {
		return err
	}
	return r.CheckNote(known)
}
