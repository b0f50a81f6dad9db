package cmd

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
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/follow"
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
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db.Pool, log, false); err != nil {
			return err
		}
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

// stopped adds to the error how to continue.
func (o *rebuildOptions) stopped(done projections.Rebuilt, err error) error {
	if done.Through == "" {
		return err
	}
	return fmt.Errorf("%w; continue with --after %s", err, done.Through)
}

type projectionsVerifyCommand struct {
	rebuildOptions
	Wait time.Duration `help:"How long to wait for servers that make no progress with cases or counts." default:"30s"`
}

// errMismatch is the error of a verification that found something.
var errMismatch = errors.New("read models differ from the log: docket projections rebuild corrects them")

// errBehind is the error of a verification that could not compare everything.
var errBehind = errors.New("read models are behind the log: see docket projections status, and verify again when the servers have caught up")

// behind prints how far behind the log a projection is, if that is what err says.
func (a *app) behind(err error) error {
	var late *follow.BehindError
	if errors.As(err, &late) {
		fmt.Fprintf(a.stdout, "%s: %d events behind, not compared\n", late.Name, late.Events)
		return errBehind
	}
	return err
}

// await brings a projection that follows the log to the log's present end, or waits for the
// server that does.
func (c *projectionsVerifyCommand) await(ctx context.Context, a *app, db *Database, name string, follower *follow.Follower) error {
	end, err := eventstore.LastPosition(ctx, db.Pool)
	if err != nil {
		return err
	}
	// Where no server runs, nothing else follows the log.
	if err := follower.CatchUp(ctx); err != nil {
		return err
	}
	p := a.progress("waiting for " + name)
	defer p.done()
	return follow.Await(ctx, db.Pool, name, end, c.Wait, p.set)
}

// Run prints each report that is wrong.
func (c *projectionsVerifyCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, "comparing", projectionsWork{reports: func(r *projections.Rebuilder) error {
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
	}, cases: func(db *Database, log zerolog.Logger) error {
		if err := c.await(ctx, a, db, cases.Name, cases.NewFollower(db.Pool, log, prometheus.NewRegistry())); err != nil {
			return a.behind(err)
		}
		p := a.progress("comparing " + cases.Name)
		compared, wrong, err := cases.Verify(ctx, db.Pool, p.set)
		p.done()
		if err != nil {
			return a.behind(err)
		}
		for _, t := range wrong[:min(len(wrong), namedAtMost)] {
			fmt.Fprintf(a.stdout, "case of %s: is not what its reports make of it\n", t)
		}
		fmt.Fprintf(a.stdout, "cases: %d compared, %d wrong\n", compared, len(wrong))
		if len(wrong) > 0 {
			return errMismatch
		}
		return nil
	}, counts: func(db *Database, log zerolog.Logger) error {
		if err := c.await(ctx, a, db, counts.Name, counts.NewFollower(db.Pool, log, prometheus.NewRegistry())); err != nil {
			return a.behind(err)
		}
		compared, wrong, err := counts.Verify(ctx, db.Pool)
		if err != nil {
			return a.behind(err)
		}
		fmt.Fprintf(a.stdout, "counts: %d compared, %d wrong\n", compared, wrong)
		if wrong > 0 {
			return errMismatch
		}
		return nil
	}, counted: func(db *Database, _ zerolog.Logger, all []projector.Projection) error {
		var faults []error
		for _, projection := range all {
			p := a.progress("comparing " + projection.Name)
			rows, wrong, err := projector.Verify(ctx, db.Pool, projection, p.set)
			p.done()
			switch {
			case errors.Is(err, projector.ErrNotBuilt):
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
	}})
}

// namedAtMost bounds how many of the corrected reports a rebuild prints. After the loss of
// a table it would be all.
const namedAtMost = 20

type projectionsRebuildCommand struct {
	rebuildOptions
	Force bool `help:"Also rewrite reports that are correct. Long lists are slower until PostgreSQL has vacuumed."`
}

// Run rewrites reports that are not the fold of their events, and rebuilds the other
// projections beside the builds that readers use.
func (c *projectionsRebuildCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, "rebuilding", projectionsWork{reports: func(r *projections.Rebuilder) error {
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
			return maintenance.ErrNotWhole
		}
		return nil
	}, cases: func(db *Database, _ zerolog.Logger) error {
		p := a.progress("rebuilding " + cases.Name)
		defer p.done()
		if err := cases.Rebuild(ctx, db.Pool, p.set); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, "cases: rebuilt")
		return nil
	}, counts: func(db *Database, _ zerolog.Logger) error {
		if err := counts.Rebuild(ctx, db.Pool, nil); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, "counts: rebuilt")
		return nil
	}, counted: func(db *Database, log zerolog.Logger, all []projector.Projection) error {
		var names []string
		for _, projection := range all {
			names = append(names, projection.Name)
		}
		p := a.progress("rebuilding " + strings.Join(names, ", "))
		defer p.done()
		projector := projector.New(db.Pool, log, prometheus.NewRegistry(), all...)
		if err := projector.RebuildTogether(ctx, all, p.set); err != nil {
			return err
		}
		for _, name := range names {
			fmt.Fprintf(a.stdout, "%s: rebuilt\n", name)
		}
		return nil
	}})
}

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

type projectionsResumeCommand struct {
	Name string `arg:"" enum:"targets,reporters,daily,policies" help:"targets, reporters, daily or policies."`
}

// Run lets the servers continue it.
func (c *projectionsResumeCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db.Pool, log, false); err != nil {
			return err
		}
		return projector.Resume(ctx, db.Pool, c.Name)
	})
}
