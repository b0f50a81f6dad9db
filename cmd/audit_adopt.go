package cmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/docketmod/docket/eventstore/ledger"
)

type auditAdoptCommand struct {
	Row []string `arg:"" optional:"" help:"A row as audit verify names it, such as \"policy spam/2\"; without any, all that differ."`
}

// Run prints the rows that it adopts. audit verify then lists them as adopted, not as findings.
func (c *auditAdoptCommand) Run(ctx context.Context, a *app) error {
	var subjects []ledger.Subject
	for _, row := range c.Row {
		at := strings.LastIndex(row, " ")
		if at < 0 {
			return usageError{fmt.Errorf("%q is not a row, such as \"policy spam/2\"", row)}
		}
		subjects = append(subjects, ledger.Subject{Kind: strings.ReplaceAll(row[:at], " ", "_"), Key: row[at+1:]})
	}
	return a.withMigrated(ctx, func(db *Database) error {
		signer, err := db.cfg.signer()
		if err != nil {
			return err
		}
		adopted, err := ledger.Ledger{Signer: signer, Now: time.Now}.Adopt(ctx, db.Pool, subjects, proven...)
		if err != nil {
			return err
		}
		for _, d := range adopted {
			fmt.Fprintf(a.stdout, "adopted: %s\n", d)
		}
		if len(adopted) == 0 {
			fmt.Fprintln(a.stdout, "nothing differs from what is signed")
		}
		return nil
	})
}
