package eventstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// filing is a report to file and the statements that store it or, if it is refused,
// nothing.
type filing struct {
	created    *report.Created
	statements []*pgx.QueuedQuery
	stored     bool // set by the statements
}

func (s *Store) newFiling(created *report.Created, events []report.Event, after report.State, now time.Time) (*filing, error) {
	f, b := &filing{created: created}, &pgx.Batch{}
	s.inline.QueueFiling(b, created, after, now.Add(-report.FilingWindow), report.FilingsPerHour, &f.stored)
	if err := s.queueAppend(b, appendFiled, events, genesis); err != nil {
		return nil, err
	}
	messages, err := messages(created.PluginID, events, moderation.Change{})
	if err != nil {
		return nil, err
	}
	if err := outbox.QueueFiled(b, messages...); err != nil {
		return nil, err
	}
	f.statements = b.QueuedQueries
	return f, nil
}

// fileTogether reports of each filing whether it was stored, in one batch that is a
// transaction by itself. It takes the rows of targets in the order of the targets, so two
// batches cannot deadlock.
func (s *Store) fileTogether(ctx context.Context, filings []*filing) ([]bool, error) {
	ordered := slices.SortedFunc(slices.Values(filings), func(a, b *filing) int {
		x, y := a.created.Target, b.created.Target
		return cmp.Or(cmp.Compare(x.PluginID, y.PluginID), cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID))
	})
	all := make([]*report.Created, len(ordered))
	for i, f := range ordered {
		all[i] = f.created
	}
	err := s.transact(postgres.Untracked(ctx), func(ctx context.Context, conn *pgx.Conn) error {
		b := &pgx.Batch{}
		postgres.QueueGenericPlans(b)
		s.inline.QueueFilingLock(b, all)
		for _, f := range ordered {
			for _, q := range f.statements {
				b.Queue(q.SQL, q.Arguments...).Fn = q.Fn // a new one: pgx stores in it what the connection has prepared
			}
		}
		return conn.SendBatch(ctx, b).Close()
	})
	stored := make([]bool, len(filings))
	for i, f := range filings {
		stored[i] = f.stored
	}
	return stored, err
}
