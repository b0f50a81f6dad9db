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

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/rounds"
)

// Inline is the projection that lives in the command's own transaction. Its
// methods add statements to a batch, so that they cost no round trip.
type Inline interface {
	// QueueLock locks the report's row and reads the folded state without its
	// snapshot; state keeps its zero value when there is no such report.
	QueueLock(b *pgx.Batch, reportID string, state *report.State)
	// QueueNote reads a note of the report; note stays nil when there is none.
	QueueNote(b *pgx.Batch, reportID, noteID string, note **report.Note)
	// QueueSave stores the state after the events.
	QueueSave(b *pgx.Batch, after report.State, events []report.Event)
	// QueueRewrite makes the report's row and notes what is given, whatever they were.
	QueueRewrite(b *pgx.Batch, s report.State, notes map[string]report.Note)
	// QueueAdmission holds up other filings of these reporters until the transaction
	// ends, and fails when one of them would have more than atMost since a time: with
	// FiledAlready where a report of the target is open, which wins, else with
	// FiledTooOften. Whoever holds up several reporters does it in one order.
	QueueAdmission(b *pgx.Batch, filings []*report.Created, since time.Time, atMost int)
	// QueueTargets comes before a report of these targets is saved, which only follows
	// what has a row.
	QueueTargets(b *pgx.Batch, filings []*report.Created)
	// QueueFilings reads what QueueAdmission decides by.
	QueueFilings(b *pgx.Batch, created *report.Created, since time.Time, f *Filings)
}

// The errors by which the database refuses a filing.
const (
	FiledAlready  = "DK001"
	FiledTooOften = "DK002"
)

// Filings is what the reporter has filed already.
type Filings struct {
	OpenReportID string
	Count        int
	Oldest       *time.Time
}

// Tasks enqueues the effects of content actions.
type Tasks interface {
	QueueEffects(b *pgx.Batch, pluginID string, effects []target.Effect) error
	// EffectsCommitted is called after the commit of what QueueEffects queued. It
	// must not block.
	EffectsCommitted()
}

// Store is the log. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	inline Inline
	tasks  Tasks
	now    func() time.Time
	// appended is called after each commit: it wakes the sealer.
	appended func()
	attempts rounds.Rounds[attempt, counted]
	filings  rounds.Rounds[*filing, struct{}]
}

// roundTimeout bounds what is done for many at once.
const roundTimeout = 10 * time.Second

// New makes a store. Commands take one connection of the pool each, and never a second.
func New(pool *pgxpool.Pool, inline Inline, tasks Tasks, now func() time.Time, appended func()) *Store {
	s := &Store{pool: pool, inline: inline, tasks: tasks, now: now, appended: appended}
	s.attempts = rounds.Rounds[attempt, counted]{Do: s.countAttempts, Most: 100, AtOnce: 1, Timeout: roundTimeout}
	s.filings = rounds.Rounds[*filing, struct{}]{Do: s.fileTogether, Apart: true, Most: 32, AtOnce: 2, Patience: 20 * time.Millisecond, Timeout: roundTimeout}
	return s
}

// maxAttempts is how often a command runs that meets deadlocks.
const maxAttempts = 5

// transact runs fn on one connection, where it begins and commits by itself in
// its batches, and rolls back what it left open. Deadlocks and serialization
// failures run it again.
func (s *Store) transact(ctx context.Context, fn func(ctx context.Context, conn *pgx.Conn) error) error {
	for attempt := 1; ; attempt++ {
		err := s.transactOnce(ctx, fn)
		var pg *pgconn.PgError
		if attempt < maxAttempts && errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001") {
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
		// A released connection with an open transaction would be closed by the
		// pool; rolling back keeps it, also when fn panics.
		if pg := conn.Conn().PgConn(); !pg.IsClosed() && pg.TxStatus() != 'I' {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			_, _ = conn.Exec(ctx, "ROLLBACK")
		}
	}()
	return fn(ctx, conn.Conn())
}

// newID makes ids in the order of time, which keeps the indexes dense.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// alreadyReported names the open report that a unique open key collided with.
func alreadyReported(reportID string) error {
	return &domain.Error{Code: domain.CodeAlreadyReported, ReportID: reportID,
		Message: "There is already an open report of this by the same reporter."}
}

// openKeyTaken tells whether err is the unique index on open keys.
func openKeyTaken(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == "core_moderation_reports_open_key"
}

// refused tells whether err is the database's refusal of a filing by that code.
func refused(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}

// accountGone tells whether err is a foreign key of ours on an account.
func accountGone(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23503" {
		return false
	}
	switch pg.ConstraintName {
	case "core_moderation_reports_reporter_id_fkey", "core_moderation_reports_assignee_id_fkey",
		"core_moderation_reports_resolver_id_fkey", "core_moderation_report_notes_author_id_fkey":
		return true
	}
	return false
}
