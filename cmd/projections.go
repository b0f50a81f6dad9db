package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/rules"
	"github.com/docketmod/docket/projections/seconds"
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
	Name    string `arg:"" optional:"" enum:"reports,cases,counts,fingerprints,rules,seconds,targets,reporters,daily,policies," default:"" help:"reports, cases, counts, fingerprints, rules, seconds, targets, reporters, daily or policies; all of them by default."`
	Workers int    `help:"Reports to work on in parallel. Two leave most of the database to the service." default:"2"`
	After   string `help:"Continue after this report." placeholder:"ID"`
}

// maxWorkers leaves database connections for the service.
const maxWorkers = 32

// newProjector returns a projector of all projections. It calls matched, which may be nil, when rules matched
// and enqueued tasks.
func newProjector(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer, matched func()) *projector.Projector {
	all := []projector.Projection{projections.Inline{}, cases.Projection, counts.Projection, fingerprints.Projection, rules.New(matched), seconds.Projection}
	return projector.New(pool, log, metrics, append(all, statistics.Projections...)...)
}

// each calls do for the selected projections, in the groups that are rebuilt together.
func (o *rebuildOptions) each(ctx context.Context, a *app, do func(*projector.Projector, *Database, []projector.Projection) error) error {
	if o.Workers < 1 || o.Workers > maxWorkers {
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	}
	if o.After != "" {
		var err error
		if o.After, err = parseID("--after", o.After); err != nil {
			return err
		}
	}
	return a.withMigrated(ctx, func(db *Database) error {
		if err := db.sealer().SealAll(ctx); err != nil {
			return err
		}
		projector := newProjector(db.Pool, db.log, prometheus.NewRegistry(), nil)
		var faults []error
		for _, group := range projector.Select(o.Name) {
			if ctx.Err() == nil {
				faults = append(faults, do(projector, db, group))
			}
		}
		return errors.Join(faults...)
	})
}

// stopped adds to the error how to resume.
func stopped(r projector.Result, err error) error {
	if r.Through == "" {
		return err
	}
	return fmt.Errorf("%w; continue with --after %s", err, r.Through)
}

type projectionsVerifyCommand struct {
	rebuildOptions
	Wait time.Duration `help:"How long to wait for servers that make no progress with cases, counts, fingerprints, rules or seconds." default:"30s"`
}

// errMismatch means that the verification has findings.
var errMismatch = errors.New("read models differ from the log: docket projections rebuild corrects them")

// errBehind means that the verification could not compare everything.
var errBehind = errors.New("read models are behind the log: see docket projections status, and verify again when the servers have caught up")

// Run prints each difference between read models and the log. It fails if there is one, or if one could not be compared.
func (c *projectionsVerifyCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, func(_ *projector.Projector, db *Database, group []projector.Projection) error {
		var faults []error
		for _, projection := range group {
			p := a.progress("comparing " + projection.ID())
			r, err := projection.Verify(ctx, db.Pool, projector.Options{Workers: c.Workers, After: c.After, Wait: c.Wait, Progress: p.set,
				Found: func(difference string) { fmt.Fprintln(a.stdout, difference) }})
			p.done()
			late, behind := errors.AsType[*projector.BehindError](err)
			switch {
			case behind:
				fmt.Fprintf(a.stdout, "%s: %d events behind, not compared\n", late.Name, late.Events)
				faults = append(faults, errBehind)
			case errors.Is(err, projector.ErrNotBuilt):
				fmt.Fprintf(a.stdout, "%s: not built yet\n", projection.ID())
			case err != nil:
				faults = append(faults, stopped(r, err))
			default:
				fmt.Fprintf(a.stdout, "%s: %d compared, %d wrong\n", projection.ID(), r.Compared, r.Wrong)
				if r.Wrong > 0 {
					faults = append(faults, errMismatch)
				}
			}
		}
		return errors.Join(faults...)
	})
}

type projectionsRebuildCommand struct {
	rebuildOptions
	Force bool `help:"Also rewrite reports that are correct. Long lists are slower until PostgreSQL has vacuumed."`
}

// namedAtMost is how many of the corrected reports a rebuild prints. After the loss of a table it
// corrects all of them.
const namedAtMost = 20

// Run rewrites reports that are not the fold of their events, and rebuilds the other
// projections. Readers use the old rows until the new ones are complete.
func (c *projectionsRebuildCommand) Run(ctx context.Context, a *app) error {
	return c.each(ctx, a, func(p *projector.Projector, _ *Database, group []projector.Projection) error {
		names := domain.Map(group, projector.Projection.ID)
		bar, named := a.progress("rebuilding "+strings.Join(names, ", ")), 0
		r, err := p.Rebuild(ctx, group, projector.Options{Workers: c.Workers, After: c.After, Force: c.Force, Progress: bar.set, Found: func(difference string) {
			if named++; named <= namedAtMost {
				fmt.Fprintln(a.stdout, difference)
			}
		}})
		bar.done()
		if err != nil && !errors.Is(err, projector.ErrNotWhole) {
			return stopped(r, err)
		}
		if r.Compared > 0 {
			fmt.Fprintf(a.stdout, "%s: %d compared, %d wrong, %d rewritten\n", names[0], r.Compared, r.Wrong, r.Rewritten)
			return err
		}
		for _, name := range names {
			fmt.Fprintf(a.stdout, "%s: rebuilt\n", name)
		}
		return err
	})
}

type projectionsStatusCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run fails if a projection is paused, so that a monitor can call it.
func (c *projectionsStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrated(ctx, func(db *Database) error {
		status, err := projector.Status(ctx, db.Pool, time.Now())
		if err != nil {
			return err
		}
		if c.JSON {
			err = a.printJSON(status)
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

// Run resumes a paused projection on the servers.
func (c *projectionsResumeCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrated(ctx, func(db *Database) error {
		return projector.Resume(ctx, db.Pool, c.Name)
	})
}
