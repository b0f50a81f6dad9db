package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/migrations"
)

type migrateCommand struct {
	Up     migrateUpCommand     `cmd:"" help:"Apply every pending migration."`
	Down   migrateDownCommand   `cmd:"" help:"Revert the migration that was applied last. What its tables held is lost."`
	Status migrateStatusCommand `cmd:"" help:"List the migrations and when they were applied."`
}

type migrateUpCommand struct{}

func (migrateUpCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, _ zerolog.Logger) error {
		applied, err := migrations.Up(ctx, db.Pool)
		for _, m := range applied {
			fmt.Fprintf(a.stdout, "applied %s\n", m.Name)
		}
		if err == nil && len(applied) == 0 {
			fmt.Fprintln(a.stdout, "nothing to apply")
		}
		return err
	})
}

type migrateDownCommand struct{}

func (migrateDownCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, _ zerolog.Logger) error {
		reverted, err := migrations.Down(ctx, db.Pool)
		if err != nil {
			return err
		}
		if reverted == nil {
			fmt.Fprintln(a.stdout, "nothing to revert")
			return nil
		}
		fmt.Fprintf(a.stdout, "reverted %s\n", reverted.Name)
		return nil
	})
}

type migrateStatusCommand struct{}

func (migrateStatusCommand) Run(ctx context.Context, a *app) error {
	return a.withDatabase(ctx, func(db *Database, _ zerolog.Logger) error {
		all, err := migrations.Status(ctx, db.Pool)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, m := range all {
			applied := "pending"
			if !m.Pending() {
				applied = m.AppliedAt.UTC().Format(time.RFC3339)
			}
			fmt.Fprintf(table, "%s\t%s\n", applied, m.Name)
		}
		return table.Flush()
	})
}
