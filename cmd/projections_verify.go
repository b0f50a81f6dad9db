package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/follow"
	"github.com/docketmod/docket/projections/projector"
)

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
	if late, ok := errors.AsType[*follow.BehindError](err); ok {
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
