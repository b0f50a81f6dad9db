package eventstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/postgres"
)

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
