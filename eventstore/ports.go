package eventstore

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/target"
)

// Inline is the projection that is updated in the command's transaction. Its methods add statements
// to a batch, so that they need no round trip.
type Inline interface {
	// QueueLock locks the report's row and reads the folded state without its snapshot. state keeps its zero value if
	// there is no such report. present is the target's present scope; nil if it is unknown.
	QueueLock(b *pgx.Batch, reportID string, state *report.State, present **scope.Resource)
	// QueueNote reads a note of the report; note stays nil if there is none.
	QueueNote(b *pgx.Batch, reportID, noteID string, note **report.Note)
	// QueueSave stores the state after the events.
	QueueSave(b *pgx.Batch, after report.State, events []report.Event)
	// QueueErased replaces all stored rows of a report that lost words, including copies.
	QueueErased(b *pgx.Batch, c report.Contents)
	// QueueFilingLock excludes other filings by these reporters, and new signals about these targets, until the
	// transaction ends. It locks in one order, so two batches cannot deadlock.
	QueueFilingLock(b *pgx.Batch, filings []*Opening)
	// QueueFilings stores each filing's report and its target's row, in order, and sets Stored. It does not store a
	// filing whose reporter has an open report on the target, or has reached their limit of filings within the window.
	// It may also refuse a filing if it refuses an earlier one of the same reporter; such a filing can be retried.
	// Unless a filing is Hasty, it does not store it if its Signals differ from those stored for its target.
	QueueFilings(b *pgx.Batch, filings []*Opening, window time.Duration)
	// QueueFiled reads the data on which QueueFilings decides.
	QueueFiled(b *pgx.Batch, created *report.Created, since time.Time, f *Filed)
}

// Opening is a report to open.
type Opening struct {
	Created *report.Created
	State   report.State    // after the filing
	Signals []signal.Scored // of the target, as in State
	Hasty   bool            // store it even if other signals arrived meanwhile
	Stored  bool            // set by QueueFilings
}

// Filed describes the reporter's earlier filings.
type Filed struct {
	OpenReportID string
	Count        int
	Oldest       *time.Time
	Signals      []signal.Scored // stored for the target
}

// Tasks enqueues the effects of content actions.
type Tasks interface {
	QueueEffects(b *pgx.Batch, pluginID string, effects []target.Effect) error
	// EffectsCommitted is called when the effects of QueueEffects are committed. It must not block.
	EffectsCommitted()
}
