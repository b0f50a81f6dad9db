package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/account"
)

type replayCommand struct {
	Report   string     `arg:"" optional:"" help:"The report's id."`
	Queue    bool       `help:"The whole queue instead, with --at: counts, and the reports that were not done."`
	All      bool       `help:"With --queue: the reports that were done too."`
	Sequence *int       `help:"After this event of the report."`
	At       *time.Time `help:"At this time, as RFC 3339 writes it." placeholder:"TIME"`
}

// Run prints the report as it stood, as JSON. Whoever has the database may read
// all of it, former texts of notes included.
func (c *replayCommand) Run(ctx context.Context, a *app) error {
	if c.Queue {
		if c.Report != "" || c.Sequence != nil || c.At == nil {
			return usageError{errors.New("--queue goes with --at alone")}
		}
		return a.replayQueue(ctx, *c.At, c.All)
	}
	if c.All {
		return usageError{errors.New("--all goes with --queue")}
	}
	id, err := parseID("a report's id", c.Report)
	if err != nil {
		return err
	}
	moment := moderation.Moment{At: c.At}
	if c.Sequence != nil {
		if *c.Sequence < 1 || c.At != nil {
			return usageError{errors.New("give --sequence from 1, or --at, and not both")}
		}
		moment.Sequence = *c.Sequence
	}
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		if err := checkMigrations(ctx, db, log, false); err != nil {
			return err
		}
		events, err := eventstore.Load(ctx, db.Read, id)
		if err != nil {
			return err
		}
		accounts, err := account.New(db.Pool, account.Config{})
		if err != nil {
			return err
		}
		names, err := accounts.Names(ctx, moderation.AccountsIn(events))
		if err != nil {
			return err
		}
		replayed, err := moderation.Replay(events, moment, names, true)
		if err != nil {
			return errors.New("there is no such report, or it was not there yet")
		}
		out := json.NewEncoder(a.stdout)
		out.SetIndent("", "  ")
		return out.Encode(replayed)
	})
}
