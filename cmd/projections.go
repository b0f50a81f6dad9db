package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/maintenance"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

type projectionsCommand struct {
	Status  projectionsStatusCommand  `cmd:"" help:"List the asynchronous projections and how far they are."`
	Verify  projectionsVerifyCommand  `cmd:"" help:"Compare read models with the log."`
	Rebuild projectionsRebuildCommand `cmd:"" help:"Rebuild read models from the log while the service runs."`
	Resume  projectionsResumeCommand  `cmd:"" help:"Let a paused projection try again."`
}

// rebuildOptions are common to verify and rebuild.
type rebuildOptions struct {
	Name    string `arg:"" optional:"" enum:"reports,cases,counts,targets,reporters,daily,policies," default:"" help:"reports, cases, counts, targets, reporters, daily or policies; all of them by default."`
	Workers int    `help:"Reports to work on in parallel. Two leave most of the database to the service." default:"2"`
	After   string `help:"Continue after this report." placeholder:"ID"`
}

// maxWorkers leaves connections to the service.
const maxWorkers = 32

// counted returns the selected asynchronous projections.
func (o *rebuildOptions) counted() []projector.Projection {
	if o.Name == "" {
		return statistics.Projections
	}
	if p, ok := projector.Find(statistics.Projections, o.Name); ok {
		return []projector.Projection{p}
	}
	return nil
}

// projectionsWork is what verify and rebuild do with each kind of projection.
type projectionsWork struct {
	reports func(*projections.Rebuilder) error
	cases   func(db *Database, log zerolog.Logger) error
	counts  func(db *Database, log zerolog.Logger) error
	counted func(*Database, zerolog.Logger, []projector.Projection) error // those that are counted from the log
}

// each runs the work for the selected projections.
func (o *rebuildOptions) each(ctx context.Context, a *app, what string, work projectionsWork) error {
	if o.Workers < 1 || o.Workers > maxWorkers {
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	}
	if o.After != "" {
		var err error
		if o.After, err = parseID("--after", o.After); err != nil {
			return err
		}
	}
	return a.withMigrated(ctx, func(db *Database, log zerolog.Logger) error {
		if err := eventstore.NewSealer(db.Pool, log, func(int64) {}).SealAll(ctx); err != nil {
			return err
		}
		var fault error
		if o.Name == "" || o.Name == maintenance.InlineReports {
			p := a.progress(what + " " + maintenance.InlineReports)
			fault = work.reports(&projections.Rebuilder{Pool: db.Pool, Workers: o.Workers, After: o.After, Progress: p.set})
			p.done()
		}
		if (o.Name == "" || o.Name == cases.Name) && ctx.Err() == nil {
			fault = errors.Join(fault, work.cases(db, log))
		}
		if (o.Name == "" || o.Name == counts.Name) && ctx.Err() == nil {
			fault = errors.Join(fault, work.counts(db, log))
		}
		if all := o.counted(); len(all) > 0 && ctx.Err() == nil {
			fault = errors.Join(fault, work.counted(db, log, all))
		}
		return fault
	})
}

// namedAtMost bounds how many of the corrected reports a rebuild prints. After the loss of
// a table it would be all.
const namedAtMost = 20

// stopped adds to the error how to continue.
func (o *rebuildOptions) stopped(done projections.Rebuilt, err error) error {
	if done.Through == "" {
		return err
	}
	return fmt.Errorf("%w; continue with --after %s", err, done.Through)
}

type projectionsStatusCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run fails if a projection is paused, so that a monitor can call it.
func (c *projectionsStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrated(ctx, func(db *Database, _ zerolog.Logger) error {
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

type projectionsResumeCommand struct {
	Name string `arg:"" enum:"targets,reporters,daily,policies" help:"targets, reporters, daily or policies."`
}

// Run lets the servers continue it.
func (c *projectionsResumeCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrated(ctx, func(db *Database, _ zerolog.Logger) error {
		return projector.Resume(ctx, db.Pool, c.Name)
	})
}
