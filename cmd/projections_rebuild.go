package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/maintenance"
	"github.com/docketmod/docket/projections/projector"
)

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
