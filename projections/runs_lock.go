package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// The bounds of waiting for the lock of a run.
const (
	// runPatience is longer than a lease of the queue (30 s): a server that stalls
	// keeps its lock after another got its task, until it finds its lease lost.
	runPatience = 45 * time.Second
	runPoll     = 250 * time.Millisecond
)

var errRunTaken = errors.New("another server is at it")

// lock takes the lock of a run, which is held until the connection is closed. It
// is a connection of its own: the work takes others from the pool, and would wait
// for ever for those that hold locks. The error is errRunTaken when another has the
// lock for all of Patience.
func (r *Runs) lock(ctx context.Context, runID string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, r.pool.Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect for its lock: %w", err)
	}
	// The lock of a machine that vanished is free after half a minute.
	_, err = conn.Exec(ctx, "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	if err == nil {
		err = r.await(ctx, conn, runID)
	}
	if err != nil {
		closeLock(ctx, conn)
		return nil, fmt.Errorf("take its lock: %w", err)
	}
	return conn, nil
}

func (r *Runs) await(ctx context.Context, conn *pgx.Conn, runID string) error {
	deadline := time.Now().Add(r.Patience)
	for {
		var mine bool
		err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtextextended('docket:projection-run:' || $1, 0))`, runID).Scan(&mine)
		if err != nil || mine {
			return err
		}
		remaining := time.Until(deadline)
		if remaining <= 0 {
			return errRunTaken
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(remaining, runPoll)):
		}
	}
}

// closeLock frees the lock with its connection.
func closeLock(ctx context.Context, conn *pgx.Conn) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = conn.Close(closing)
}
