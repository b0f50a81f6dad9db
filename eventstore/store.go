package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/postgres"
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

// Store is the log. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	inline Inline
	tasks  Tasks
	signer Signer // nil in tests that need no signatures
	now    func() time.Time
	// appended is called after each commit, to wake the sealer.
	appended func()
	// Reconnect is called after a connection was lost.
	Reconnect func()

	filings batch.Batcher[*filing, bool]
}

// batchTimeout bounds the work on a batch of requests.
const batchTimeout = 10 * time.Second

// New returns a store that signs what it appends. A command never holds more than one
// connection of the pool.
func New(pool *pgxpool.Pool, inline Inline, tasks Tasks, signer Signer, now func() time.Time, appended func()) *Store {
	s := &Store{pool: pool, inline: inline, tasks: tasks, signer: signer, now: now, appended: appended}
	s.Reconnect = (&postgres.Reconnector{Pools: []*pgxpool.Pool{pool}}).Reset
	s.filings = batch.Batcher[*filing, bool]{Run: s.fileTogether, MaxSize: 32, MaxConcurrent: 2, Patience: 20 * time.Millisecond, Timeout: batchTimeout, Alone: batchTimeout}
	return s
}

// maxAttempts is how often a command is run because of deadlocks or serialization failures.
const maxAttempts = 5

// transact runs fn on one connection. fn begins and commits within its batches; a transaction that
// it leaves open is rolled back. After a deadlock or a serialization failure, fn runs again.
func (s *Store) transact(ctx context.Context, fn func(ctx context.Context, conn *pgx.Conn) error) error {
	for attempt := 1; ; attempt++ {
		err := s.transactOnce(ctx, fn)
		if attempt < maxAttempts && postgres.Repeatable(err) {
			continue
		}
		if accountGone(err) {
			return moderation.ErrAccountGone
		}
		return err
	}
}

func (s *Store) transactOnce(ctx context.Context, fn func(ctx context.Context, conn *pgx.Conn) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	defer conn.Release()
	defer func() {
		// The pool closes a connection that is released with an open transaction.
		// Rolling back keeps it, even if fn panics.
		if pg := conn.Conn().PgConn(); !pg.IsClosed() && pg.TxStatus() != 'I' {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			_, _ = conn.Exec(ctx, "ROLLBACK")
		}
	}()
	return fn(ctx, conn.Conn())
}

// newID returns an id that is ordered by time, which keeps indexes compact.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// accountGone reports whether err is a violation of a foreign key on an account.
func accountGone(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23503" {
		return false
	}
	switch pg.ConstraintName {
	case "core_moderation_reports_reporter_id_fkey", "core_moderation_reports_assignee_id_fkey",
		"core_moderation_reports_resolver_id_fkey", "core_moderation_report_notes_author_id_fkey",
		"core_moderation_appeals_appellant_id_fkey", "core_moderation_appeals_decider_id_fkey", "core_moderation_measures_imposed_by_fkey",
		"core_moderation_reports_escalated_to_fkey", "core_moderation_note_rates_user_id_fkey":
		return true
	}
	return false
}
