package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/projections"
)

type projectionsCommand struct {
	Verify  projectionsVerifyCommand  `cmd:"" help:"Compare every report's row and notes with the fold of its events."`
	Rebuild projectionsRebuildCommand `cmd:"" help:"Build read models anew from the log while the service runs."`
}

// rebuildOptions are common to verify and rebuild.
type rebuildOptions struct {
	Workers int    `help:"Reports worked side by side." default:"4"`
	After   string `help:"Go on behind this report." placeholder:"ID"`
}

// maxWorkers keeps connections for everybody else.
const maxWorkers = 32

type projectionsVerifyCommand struct{ rebuildOptions }

// errMismatch makes the exit status of a verification that found something.
var errMismatch = errors.New("rows differ from the fold of their events: docket projections rebuild mends them")

// Run names each report that is wrong, on standard output.
func (c *projectionsVerifyCommand) Run(ctx context.Context, a *app) error {
	return c.walk(ctx, a, "comparing", false, func(ctx context.Context, r *projections.Rebuilder) error {
		done, err := r.Verify(ctx)
		if err != nil {
			return c.stopped(done, err)
		}
		fmt.Fprintf(a.stdout, "%d reports compared, %d wrong\n", done.Reports, done.Mismatched)
		if done.Mismatched > 0 {
			return errMismatch
		}
		return nil
	})
}

type projectionsRebuildCommand struct {
	rebuildOptions
	Force bool `help:"Rewrite also the rows that are as they should be."`
}

// Run rewrites what is not the fold of its events, report by report.
func (c *projectionsRebuildCommand) Run(ctx context.Context, a *app) error {
	return c.walk(ctx, a, "rebuilding", c.Force, func(ctx context.Context, r *projections.Rebuilder) error {
		done, err := r.Rebuild(ctx)
		if err != nil {
			return c.stopped(done, err)
		}
		fmt.Fprintf(a.stdout, "%d reports, %d wrong, %d rewritten\n", done.Reports, done.Mismatched, done.Rewritten)
		if !c.Force && done.Rewritten < done.Mismatched {
			return errors.New("some reports cannot be rebuilt, because their events are not whole: see docket audit verify")
		}
		return nil
	})
}

func (o *rebuildOptions) walk(ctx context.Context, a *app, what string, force bool, work func(context.Context, *projections.Rebuilder) error) error {
	if o.Workers < 1 || o.Workers > maxWorkers {
		return usageError{fmt.Errorf("--workers is from 1 to %d", maxWorkers)}
	}
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db, log, false); err != nil {
			return err
		}
		p := a.progress(what)
		defer p.done()
		return work(ctx, &projections.Rebuilder{Pool: db.Pool, Workers: o.Workers, Force: force, After: o.After, Progress: p.set,
			Found: func(m projections.Mismatch) { fmt.Fprintln(a.stdout, m) }})
	})
}

// stopped says how to go on.
func (o *rebuildOptions) stopped(done projections.Rebuilt, err error) error {
	if done.Through == "" {
		return err
	}
	return fmt.Errorf("%w; go on with --after %s", err, done.Through)
}
