package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Reader is a pool, a connection, a transaction or a Replica.
type Reader interface {
	Querier
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// The bounds of reads from a replica.
const (
	// replicaPatience is how long a read waits for the replica to replay what was
	// committed before the read began.
	replicaPatience = 32 * time.Millisecond
	// replicaConnect bounds the wait for a connection to the replica and for the position that it has replayed.
	replicaConnect = time.Second
	// replicaPause is how long reads use the primary after the replica was unavailable or
	// behind.
	replicaPause = time.Second
)

// Replica reads from a streaming replica once it has replayed everything that was committed before
// the read began, or from the primary if that takes too long. No read misses a write that was
// acknowledged before, whichever client and server made it.  Before each read it gets the end of
// the log from the primary, one round trip, and waits until the replica has replayed it, at least
// one more. That is simpler than tracking the writes of each account, since servers share no
// memory, and it is right for all writers. The role must be a member of pg_read_all_stats, to
// detect a replica that follows another timeline and misses writes; without it every read uses the
// primary.
type Replica struct {
	primary, replica *pgxpool.Pool
	pausedUntil      atomic.Int64 // in Unix nanoseconds
}

// NewReplica returns a Replica. The caller closes both pools.
func NewReplica(primary, replica *pgxpool.Pool) *Replica {
	return &Replica{primary: primary, replica: replica}
}

// Query implements Reader.
func (r *Replica) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	conn := r.current(ctx)
	if conn == nil {
		return r.primary.Query(ctx, sql, args...)
	}
	rows, _ := conn.Query(ctx, sql, args...) // its error is also that of the rows
	return &replicaRows{Rows: rows, conn: conn, again: func(err error) (pgx.Rows, bool) {
		if !r.gaveUp(ctx, err) {
			return nil, false
		}
		rows, _ := r.primary.Query(ctx, sql, args...)
		return rows, true
	}}, nil
}

// QueryRow implements Reader.
func (r *Replica) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	conn := r.current(ctx)
	if conn == nil {
		return r.primary.QueryRow(ctx, sql, args...)
	}
	return &replicaRow{Row: conn.QueryRow(ctx, sql, args...), conn: conn, again: func(err error) (pgx.Row, bool) {
		if !r.gaveUp(ctx, err) {
			return nil, false
		}
		return r.primary.QueryRow(ctx, sql, args...), true
	}}
}

// gaveUp reports whether a read failed for a reason that only the replica has: it went away, or it canceled the read to
// replay what the primary has written since. Reads then use the primary for replicaPause.
func (r *Replica) gaveUp(ctx context.Context, err error) bool {
	if ctx.Err() != nil || !Lost(err) && !Repeatable(err) {
		return false
	}
	r.pause(ctx)
	return true
}

// current returns a connection to the replica that has replayed the primary's log to its present
// end, or nil. The check and the read share one connection, since a proxy may distribute
// connections over several replicas.
func (r *Replica) current(ctx context.Context) *pgxpool.Conn {
	if time.Now().UnixNano() < r.pausedUntil.Load() {
		return nil
	}
	// Without synchronous_commit, commits are acknowledged before they are flushed.
	var end string
	var timeline int
	err := r.primary.QueryRow(ctx, `SELECT lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int
		FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END) w (lsn)`).
		Scan(&end, &timeline)
	if err != nil {
		return nil // the read itself, on the primary, returns the same error
	}
	connecting, cancel := context.WithTimeout(ctx, replicaConnect)
	defer cancel()
	conn, err := r.replica.Acquire(connecting)
	if err != nil {
		r.pause(ctx)
		return nil
	}
	if !replayed(connecting, conn, end, timeline) {
		conn.Release()
		r.pause(ctx)
		return nil
	}
	return conn
}

// replayed waits until the replica has replayed the log of that timeline up to end, and reports
// whether it has.
func replayed(ctx context.Context, conn *pgxpool.Conn, end string, timeline int) bool {
	for wait := time.Millisecond; wait < replicaPatience; wait *= 2 {
		var streams, has bool
		err := conn.QueryRow(ctx, `SELECT coalesce((SELECT received_tli FROM pg_stat_wal_receiver) = $2, false),
			coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)`, end, timeline).Scan(&streams, &has)
		if err != nil || !streams {
			return false
		}
		if has {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
	}
	return false
}

// pause makes reads use the primary for replicaPause, unless the caller canceled the read.
func (r *Replica) pause(ctx context.Context) {
	if ctx.Err() == nil {
		r.pausedUntil.Store(time.Now().Add(replicaPause).UnixNano())
	}
}

// replicaRows returns its connection to the pool when the rows are read or closed. If the replica fails
// before the first row, the rows are those of the primary.
type replicaRows struct {
	pgx.Rows
	conn  *pgxpool.Conn
	again func(error) (pgx.Rows, bool) // nil after the first row
}

func (r *replicaRows) Next() bool {
	if r.Rows.Next() {
		r.again = nil
		return true
	}
	r.Close()
	if err := r.Rows.Err(); err != nil && r.again != nil {
		rows, ok := r.again(err)
		r.again = nil
		if ok {
			r.Rows = rows
			return rows.Next()
		}
	}
	return false
}

func (r *replicaRows) Close() {
	r.Rows.Close()
	if r.conn != nil {
		r.conn.Release()
		r.conn = nil
	}
}

// replicaRow returns its connection to the pool when it is scanned. If the replica fails, the row is the primary's.
type replicaRow struct {
	pgx.Row
	conn  *pgxpool.Conn
	again func(error) (pgx.Row, bool)
}

func (r *replicaRow) Scan(dest ...any) error {
	err := r.Row.Scan(dest...)
	r.conn.Release()
	if err != nil {
		if row, ok := r.again(err); ok {
			return row.Scan(dest...)
		}
	}
	return err
}
