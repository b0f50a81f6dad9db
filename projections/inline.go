// Package projections has core_moderation_reports and the tables that belong to it: how commands update them, how they
// are queried, and how they are rebuilt from the log. Projections that follow the log are in projections/projector.
// Other modules must not import it.
package projections

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Inline keeps core_moderation_reports and core_moderation_report_notes equal to the fold of their
// events, in the command's own transaction. It implements eventstore.Inline.
type Inline struct{}

// QueueLock implements eventstore.Inline.
func (Inline) QueueLock(b *pgx.Batch, reportID string, state *report.State, present **scope.Resource) {
	queueState(b, ` FOR UPDATE OF r`, reportID, state, present)
}

// queueState reads the state of a report, which stays zero if there is none, and its present scope.
// A statement that waited for a lock sees the row as it is after the wait, but the events as they
// were before, so it may have to be repeated for a row that is outdated.
func queueState(b *pgx.Batch, lock, reportID string, state *report.State, present **scope.Resource) {
	b.Queue(`SELECT `+stateColumns+`, r.signals, t.scope_family, t.scope_id FROM core_moderation_reports r
		LEFT JOIN `+JoinTarget+` WHERE r.id = $1`+lock, reportID).Query(func(rows pgx.Rows) error {
		var family, id *string
		fields, done := stateFields(state)
		_, err := pgx.ForEachRow(rows, append(fields, &state.Signals, &family, &id), func() error {
			*present = resource(family, id)
			whole, err := done()
			if err == nil && !whole && lock != "" {
				err = fmt.Errorf("the events of report %s end before its row: %w", reportID, postgres.ErrRepeat)
			}
			return err
		})
		return err
	})
}

// QueueSave implements eventstore.Inline.
func (Inline) QueueSave(b *pgx.Batch, after report.State, events []report.Event) {
	reindex := false // the searchable words have changed
	for _, e := range events {
		if _, removed := e.Fact.(*report.AccountRemoved); removed {
			reindex = after.ReporterName == nil // another account may be the removed one
		}
		queueNote(b, e)
		queueAppeal(b, after, e)
		queueMeasures(b, after, e)
		CoreSeconds.Queue(b, e)
	}
	queueUpdate(b, after, reindex)
}
