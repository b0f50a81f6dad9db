package cmd

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/replay"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// replayPage is how many events of the log are read in one query.
const replayPage = 5000

// replayQueue prints the queue as it stood: all counts, and the reports that were not done,
// or all reports.
func (a *app) replayQueue(ctx context.Context, at time.Time, all bool) error {
	return a.withMigrated(ctx, func(db *Database) error {
		if err := db.sealer().SealAll(ctx); err != nil {
			return err
		}
		view, err := a.foldQueue(ctx, db, at, all)
		if err != nil {
			return err
		}
		return a.printJSON(view)
	})
}

func (a *app) foldQueue(ctx context.Context, db *Database, at time.Time, all bool) (replay.QueueView, error) {
	end, err := eventstore.LastPosition(ctx, db.Pool)
	if err != nil {
		return replay.QueueView{}, err
	}
	p := a.progress("replaying")
	defer p.done()
	q := replay.NewQueue(at)
	for last := int64(0); last < end; {
		facts, err := eventstore.ReadFacts(ctx, db.Pool, last, replayPage)
		if err != nil {
			return replay.QueueView{}, err
		}
		if len(facts) == 0 {
			break
		}
		for _, f := range facts {
			q.Apply(f.Event)
		}
		last = facts[len(facts)-1].Position
		p.set(last, end)
	}
	statuses := []report.Status{report.New, report.InProgress}
	if all {
		statuses = report.Statuses
	}
	return q.View(statuses...), nil
}
