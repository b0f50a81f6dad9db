package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/account"
)

type replayCommand struct {
	Report   string     `arg:"" optional:"" help:"The report's id."`
	Queue    bool       `help:"Print the whole queue at --at: counts, and the reports that were not done."`
	All      bool       `help:"With --queue: also the reports that were done."`
	Sequence *int       `help:"After this event of the report."`
	At       *time.Time `help:"At this time (RFC 3339)." placeholder:"TIME"`
}

// Run prints the report as it stood, as JSON, with earlier texts of notes. It checks no
// permissions, since the caller has access to the database.
func (c *replayCommand) Run(ctx context.Context, a *app) error {
	if c.Queue {
		if c.Report != "" || c.Sequence != nil || c.At == nil {
			return usageError{errors.New("--queue needs --at and no other option")}
		}
		return a.replayQueue(ctx, *c.At, c.All)
	}
	if c.All {
		return usageError{errors.New("--all needs --queue")}
	}
	id, err := parseID("a report's id", c.Report)
	if err != nil {
		return err
	}
	moment := moderation.Moment{At: c.At}
	if c.Sequence != nil {
		if *c.Sequence < 1 || c.At != nil {
			return usageError{errors.New("give either --sequence, from 1, or --at")}
		}
		moment.Sequence = *c.Sequence
	}
	return a.withMigrated(ctx, func(db *Database) error {
		replay := moderation.NewReplay(moment, true)
		if err := eventstore.EachEvent(ctx, db.Reads, id, replay.Add); err != nil {
			return err
		}
		names, err := account.New(db.Pool, account.Config{}).Names(ctx, replay.Accounts())
		if err != nil {
			return err
		}
		replayed := moderation.Replayed{Notes: []moderation.ReplayedNote{}}
		if replayed.ReplayedReport, err = replay.Report(names); err != nil {
			return errors.New("the report does not exist, or did not exist at that time")
		}
		err = replay.EachNote(names, func(sequences []int, each func(report.Event) error) error {
			return eventstore.EachText(ctx, db.Reads, id, sequences, each)
		}, func(n moderation.ReplayedNote) error {
			replayed.Notes = append(replayed.Notes, n)
			return nil
		})
		if err != nil {
			return err
		}
		return a.printJSON(replayed)
	})
}
