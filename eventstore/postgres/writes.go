package postgres

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgconn"
)

// Writes counts the statements in a context that may have committed something. While it is zero,
// the work in the context can be repeated.
type Writes struct{ n atomic.Int32 }

// Any reports whether something may have been committed.
func (w *Writes) Any() bool { return w.n.Load() > 0 }

type writesKey struct{}

// TrackWrites returns a context whose writes on pools of this package are counted.
func TrackWrites(ctx context.Context) (context.Context, *Writes) {
	w := &Writes{}
	return context.WithValue(ctx, writesKey{}, w), w
}

// Untracked returns a context whose writes are not counted. It is for writes that may be
// repeated, and for batches of several requests.
func Untracked(ctx context.Context) context.Context {
	return context.WithValue(ctx, writesKey{}, (*Writes)(nil))
}

// AddWrites adds n writes to the count. A negative n subtracts writes that did not happen.
func AddWrites(ctx context.Context, n int) {
	if w, _ := ctx.Value(writesKey{}).(*Writes); w != nil {
		w.n.Add(int32(n))
	}
}

// writesTracer counts statements that commit: COMMIT itself, and whatever may write
// outside a transaction.
type writesTracer struct{}

// traceWrites wraps a pool's tracer, which may be nil, to count writes.
func traceWrites(other pgx.QueryTracer) pgx.QueryTracer {
	if other == nil {
		return writesTracer{}
	}
	return multitracer.New(other, writesTracer{})
}

type countedKey struct{}

func (writesTracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if hasWord(data.SQL, "begin") {
		conn.PgConn().CustomData()[readOnly] = strings.Contains(strings.ToLower(data.SQL), readOnly)
	}
	if only, _ := conn.PgConn().CustomData()[readOnly].(bool); only && hasWord(data.SQL, "commit") {
		return ctx
	}
	return count(ctx, commits(data.SQL, conn.PgConn().TxStatus() == 'I'))
}

// readOnly is the mode of a transaction in SQL, and the key under which a connection stores
// whether its last transaction had it.
const readOnly = "read only"

func (writesTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	uncount(ctx, data.Err)
}

func (writesTracer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	alone := conn.PgConn().TxStatus() == 'I'
	for _, q := range data.Batch.QueuedQueries {
		if hasWord(q.SQL, "begin") {
			alone = false
			conn.PgConn().CustomData()[readOnly] = false
		}
		if commits(q.SQL, alone) {
			return count(ctx, true)
		}
	}
	return ctx
}

func (writesTracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (writesTracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	uncount(ctx, data.Err)
}

func count(ctx context.Context, write bool) context.Context {
	if w, _ := ctx.Value(writesKey{}).(*Writes); !write || w == nil {
		return ctx
	}
	AddWrites(ctx, 1)
	return context.WithValue(ctx, countedKey{}, true)
}

// uncount subtracts a write that was not sent, or that the server refused.
func uncount(ctx context.Context, err error) {
	if counted, _ := ctx.Value(countedKey{}).(bool); !counted || err == nil {
		return
	}
	if NotCommitted(err) {
		AddWrites(ctx, -1)
	}
}

// NotCommitted reports whether a statement that failed with err certainly committed nothing,
// since it was not sent or the server refused it.
func NotCommitted(err error) bool {
	var server *pgconn.PgError
	return pgconn.SafeToRetry(err) || errors.As(err, &server) && !Lost(err)
}

// commits reports whether a statement may commit something; alone means that it runs
// outside a transaction block.
func commits(sql string, alone bool) bool {
	if hasWord(sql, "commit") {
		return true
	}
	for _, read := range []string{"select", "begin", "rollback", "show", "set", "savepoint", "release", "listen", "discard", "--", ";"} {
		if hasWord(sql, read) {
			return false
		}
	}
	return alone
}

// hasWord reports whether the statement begins with word, in any case.
func hasWord(sql, word string) bool {
	sql = strings.TrimLeft(sql, " \t\r\n(")
	return len(sql) >= len(word) && strings.EqualFold(sql[:len(word)], word)
}

var _ pgx.BatchTracer = writesTracer{}
