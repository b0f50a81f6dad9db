package eventstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// filing is a report to open with its events and their messages.
type filing struct {
	Opening
	records  []Record
	messages []outbox.Message
}

// newFiling returns the filing of a report with the signals stored for its target (kept). An empty
// id means a new one.
func (s *Store) newFiling(id string, created *report.Created, kept []signal.Scored, now time.Time) (*filing, error) {
	signals, _ := report.DecideSignals(report.State{}, kept, now)
	facts := append([]report.Fact{created}, signals...)
	events, after := report.Stamp(report.State{ID: cmp.Or(id, newID())}, facts, domain.OrNull(created.ReporterID), now, newID)
	f := &filing{Opening: Opening{Created: created, State: after, Signals: kept}}
	prevHash := genesis
	for _, e := range events {
		r, err := NewSignedRecord(e, prevHash, s.signer)
		if err != nil {
			return nil, err
		}
		f.records, prevHash = append(f.records, r), r.Hash
	}
	var err error
	f.messages, err = messages(created.PluginID, events, moderation.Change{})
	return f, err
}

// fileTogether reports for each filing whether it was stored. It is one batch and one transaction,
// with one statement per table. It locks the rows of targets in order, so two batches cannot
// deadlock.
func (s *Store) fileTogether(ctx context.Context, filings []*filing) ([]bool, error) {
	ordered := slices.SortedFunc(slices.Values(filings), func(a, b *filing) int {
		x, y := a.Created.Target, b.Created.Target
		return cmp.Or(cmp.Compare(x.PluginID, y.PluginID), cmp.Compare(x.Type, y.Type), cmp.Compare(x.ID, y.ID))
	})
	var openings []*Opening
	var events [][]any
	var messages []outbox.Message
	var late []target.Effect
	for _, f := range ordered {
		openings = append(openings, &f.Opening)
		for i := range f.records {
			events = append(events, copiedColumns(&f.records[i]))
		}
		messages = append(messages, f.messages...)
		if f.Hasty {
			late = append(late, target.Effect{Task: moderation.SignalsTask, Payload: moderation.CaseOf(f.Created.Target)})
		}
	}
	err := s.transact(postgres.Untracked(ctx), func(ctx context.Context, conn *pgx.Conn) error {
		b := &pgx.Batch{}
		postgres.QueueGenericPlans(b)
		batch.QueueLockTimeout(ctx, b)
		s.inline.QueueFilingLock(b, openings)
		s.inline.QueueFilings(b, openings, report.FilingWindow)
		b.Queue(appendFiled, postgres.Columns(events)...)
		if late != nil {
			if err := s.tasks.QueueEffects(b, permission.CorePlugin, late); err != nil {
				return err
			}
		}
		if err := outbox.QueueFiled(b, messages...); err != nil {
			return err
		}
		return conn.SendBatch(ctx, b).Close()
	})
	return domain.Map(filings, func(f *filing) bool { return f.Stored }), err
}
