package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections"
)

type projectionsCommand struct {
	Status  projectionsStatusCommand  `cmd:"" help:"List the projections that are counted from the log, and how far they are."`
	Verify  projectionsVerifyCommand  `cmd:"" help:"Compare read models with what the log makes of them."`
	Rebuild projectionsRebuildCommand `cmd:"" help:"Build read models anew from the log while the service runs."`
	Resume  projectionsResumeCommand  `cmd:"" help:"Let a paused projection try again."`
}

// rebuildOptions are common to verify and rebuild.
type rebuildOptions struct {
	Name    string `arg:"" optional:"" enum:"reports,targets,reporters,daily," default:"" help:"reports, targets, reporters or daily; all of them by default."`
	Workers int    `help:"Reports worked side by side: two leave most of the database to everybody else." default:"2"`
	After   string `help:"Go on behind this report." placeholder:"ID"`
}

// maxWorkers keeps connections for everybody else.
const maxWorkers = 32

// counted are the projections asked for that are counted from the log.
func (o *rebuildOptions) counted() []projections.Projection {
	if o.Name == "" {
		return projections.Projections
	}
	if p, ok := projections.Find(o.Name); ok {
		return []projections.Projection{p}
	}
	return nil
}

// each does the work for the projections that are asked for; counted is for
// those that are counted from the log.
func (o *rebuildOptions) each(ctx context.Context, a *app, what string, inline func(*projections.Rebuilder) error,
	counted func(*Database, zerolog.Logger, []projections.Projection) error) error {
	if o.Workers < 1 || o.Workers > maxWorkers {
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	}
	if o.After != "" {
		var err error
		if o.After, err = parseID("--after", o.After); err != nil {
			return err
		}
	}
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db, log, false); err != nil {
			return err
		}
		if err := eventstore.NewSealer(db.Pool, log, func(int64) {}).SealAll(ctx); err != nil {
			return err
		}
		var fault error
		if o.Name == "" || o.Name == projections.InlineReports {
			p := a.progress(what + " " + projections.InlineReports)
			fault = inline(&projections.Rebuilder{Pool: db.Pool, Workers: o.Workers, After: o.After, Progress: p.set})
			p.done()
		}
		if all := o.counted(); len(all) > 0 && ctx.Err() == nil {
			fault = errors.Join(fault, counted(db, log, all))
		}
		return fault
	})
}

// stopped says how to go on.
func (o *rebuildOptions) stopped(done projections.Rebuilt, err error) error {
	if done.Through == "" {
		return err
	}
	return fmt.Errorf("%w; go on with --after %s", err, done.Through)
}

type projectionsVerifyCommand struct{ rebuildOptions }

// errMismatch makes the exit status of a verification that found something.
var errMismatch = errors.New("read models differ from the log: docket projections rebuild mends them")

// Run names each report that is wrong, on standard output.
func (c *projectionsVerifyCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, "comparing", func(r *projections.Rebuilder) error {
		r.Found = func(m projections.Mismatch) { fmt.Fprintln(a.stdout, m) }
		done, err := r.Verify(ctx)
		if err != nil {
			return c.stopped(done, err)
		}
		fmt.Fprintf(a.stdout, "reports: %d compared, %d wrong\n", done.Reports, done.Mismatched)
		if done.Mismatched > 0 {
			return errMismatch
		}
		return nil
	}, func(db *Database, _ zerolog.Logger, all []projections.Projection) error {
		var faults []error
		for _, projection := range all {
			p := a.progress("comparing " + projection.Name)
			rows, wrong, err := projections.VerifyCounted(ctx, db.Pool, projection, p.set)
			p.done()
			switch {
			case errors.Is(err, projections.ErrNotBuilt):
				fmt.Fprintf(a.stdout, "%s: not built yet\n", projection.Name)
			case err != nil:
				faults = append(faults, err)
			default:
				fmt.Fprintf(a.stdout, "%s: %d rows compared, %d wrong\n", projection.Name, rows, wrong)
				if wrong > 0 {
					faults = append(faults, errMismatch)
				}
			}
		}
		return errors.Join(faults...)
	})
}

// namedAtMost is how many of the reports that a rebuild mends are named: after
// the loss of a table it would be all.
const namedAtMost = 20

type projectionsRebuildCommand struct {
	rebuildOptions
	Force bool `help:"Write also the reports that are as they should be. Lists of very many are slower until PostgreSQL has vacuumed behind it."`
}

// Run rewrites reports that are not the fold of their events, and counts the
// other projections anew beside what readers use.
func (c *projectionsRebuildCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, "rebuilding", func(r *projections.Rebuilder) error {
		r.Force = c.Force
		named := 0
		r.Found = func(m projections.Mismatch) {
			if named++; named <= namedAtMost || m.Problem != "" {
				fmt.Fprintln(a.stdout, m)
			}
		}
		done, err := r.Rebuild(ctx)
		if err != nil {
			return c.stopped(done, err)
		}
		fmt.Fprintf(a.stdout, "reports: %d compared, %d wrong, %d rewritten\n", done.Reports, done.Mismatched, done.Rewritten)
		wanted := done.Mismatched
		if c.Force {
			wanted = done.Reports
		}
		if done.Rewritten < wanted {
			return projections.ErrNotWhole
		}
		return nil
	}, func(db *Database, log zerolog.Logger, all []projections.Projection) error {
		var names []string
		for _, projection := range all {
			names = append(names, projection.Name)
		}
		p := a.progress("rebuilding " + strings.Join(names, ", "))
		defer p.done()
		projector := projections.NewProjector(db.Pool, log, prometheus.NewRegistry(), all...)
		if err := projector.RebuildTogether(ctx, all, p.set); err != nil {
			return err
		}
		for _, name := range names {
			fmt.Fprintf(a.stdout, "%s: rebuilt\n", name)
		}
		return nil
	})
}

type projectionsStatusCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run fails when a projection is paused, so that a monitor can call it.
func (c *projectionsStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db, log, false); err != nil {
			return err
		}
		status, err := projections.Status(ctx, db.Pool, time.Now())
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

func (a *app) printStatus(status []projections.BuildStatus) error {
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
	Name string `arg:"" enum:"targets,reporters,daily" help:"targets, reporters or daily."`
}

// Run lets the servers go on with it.
func (c *projectionsResumeCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db, log, false); err != nil {
			return err
		}
		return projections.Resume(ctx, db.Pool, c.Name)
	})
}
