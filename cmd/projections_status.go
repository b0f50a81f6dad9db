package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/projections/projector"
)

type projectionsStatusCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run fails if a projection is paused, so that a monitor can call it.
func (c *projectionsStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db.Pool, log, false); err != nil {
			return err
		}
		status, err := projector.Status(ctx, db.Pool, time.Now())
		if err != nil {
			return err
		}
		if c.JSON {
			out := json.NewEncoder(a.stdout)
			out.SetIndent("", "  ")
			err = out.Encode(status)
		} else {
			err = a.printStatus(status)
		}
		for _, s := range status {
			if s.PausedAt != nil && s.State != "retired" {
				err = errors.Join(err, fmt.Errorf("%s is paused at %s", s.Name, *s.PausedWhy))
			}
		}
		return err
	})
}

func (a *app) printStatus(status []projector.BuildStatus) error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tBUILD\tVERSION\tSTATE\tPOSITION\tBEHIND\tLAG\tPAUSED")
	for _, s := range status {
		paused := "-"
		if s.PausedAt != nil {
			paused = time.Time(*s.PausedAt).UTC().Format(time.RFC3339)
		}
		lag := time.Duration(s.Lag * float64(time.Second)).Round(time.Millisecond)
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%d\t%d\t%s\t%s\n", s.Name, s.Build, s.Version, s.State, s.Position, s.Behind, lag, paused)
	}
	return table.Flush()
}
