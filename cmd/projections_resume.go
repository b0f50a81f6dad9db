package cmd

import (
	"context"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/projections/projector"
)

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
