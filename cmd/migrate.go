package cmd

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/migrations"
)

type migrateCommand struct {
	Up     migrateUpCommand     `cmd:"" help:"Apply every pending migration, also of the plugins in Go."`
	Down   migrateDownCommand   `cmd:"" help:"Revert the migration that was applied last. What its tables held is lost."`
	Status migrateStatusCommand `cmd:"" help:"List the migrations and when they were applied."`
}

type migrateUpCommand struct{}

func (migrateUpCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrations(ctx, func(pool *pgxpool.Pool, sets []migrationSet) error {
		count := 0
		for _, s := range sets {
			applied, err := s.Up(ctx, pool)
			for _, m := range applied {
				fmt.Fprintf(a.stdout, "applied %s\n", s.label(m))
			}
			if count += len(applied); err != nil {
				return s.wrap(err)
			}
		}
		if count == 0 {
			fmt.Fprintln(a.stdout, "nothing to apply")
		}
		return nil
	})
}

type migrateDownCommand struct {
	Plugin string `placeholder:"ID" help:"Revert a migration of this plugin, not one of Docket's own."`
}

func (c migrateDownCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrations(ctx, func(pool *pgxpool.Pool, sets []migrationSet) error {
		for _, s := range sets {
			if s.pluginID != c.Plugin {
				continue
			}
			reverted, err := s.Down(ctx, pool)
			switch {
			case err != nil:
				return s.wrap(err)
			case reverted == nil:
				fmt.Fprintln(a.stdout, "nothing to revert")
			default:
				fmt.Fprintf(a.stdout, "reverted %s\n", s.label(*reverted))
			}
			return nil
		}
		return usageError{fmt.Errorf("this binary has no plugin %q with migrations", c.Plugin)}
	})
}

type migrateStatusCommand struct{}

func (migrateStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withMigrations(ctx, func(pool *pgxpool.Pool, sets []migrationSet) error {
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, s := range sets {
			all, err := s.Status(ctx, pool)
			if err != nil {
				return s.wrap(err)
			}
			for _, m := range all {
				applied := "pending"
				if !m.Pending() {
					applied = m.AppliedAt.UTC().Format(time.RFC3339)
				}
				fmt.Fprintf(table, "%s\t%s\n", applied, s.label(m))
			}
		}
		return table.Flush()
	})
}

// migrationSet is the migrations of Docket or of one plugin.
type migrationSet struct {
	migrations.Set
	pluginID string // "": Docket
}

// migrationSets are Docket's migrations, then those of the plugins.
func migrationSets(plugins []*registry.Declaration) []migrationSet {
	sets := []migrationSet{{Set: migrations.Docket}}
	for _, p := range plugins {
		if p.Migrations != nil {
			sets = append(sets, migrationSet{migrations.Plugin(p.ID, p.Migrations), p.ID})
		}
	}
	return sets
}

// label returns a migration's name for people.
func (s migrationSet) label(m migrations.Migration) string {
	if s.pluginID == "" {
		return m.Name
	}
	return s.pluginID + "/" + m.Name
}

func (s migrationSet) wrap(err error) error {
	if s.pluginID == "" {
		return err
	}
	return fmt.Errorf("plugin %s: %w", s.pluginID, err)
}

// withMigrations runs work on the migrations of Docket and of the plugins in Go, whose declarations
// must be valid.
func (a *app) withMigrations(ctx context.Context, work func(*pgxpool.Pool, []migrationSet) error) error {
	return a.withDatabase(ctx, func(db *Database) error {
		made, err := a.makePlugins(ctx, db.Pool, db.log, a.sources...)
		if err != nil {
			return err
		}
		plugins := declarations(made)
		if err := registry.CheckMigrations(plugins...); err != nil {
			return err
		}
		return work(db.Pool, migrationSets(plugins))
	})
}
