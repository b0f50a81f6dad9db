package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// lostStates are the SQLSTATEs of a server that shuts down, has crashed, starts up or has become a
// read-only standby.
var lostStates = []string{"57P01", "57P02", "57P03", "25006"}

func lostState(code string) bool {
	return strings.HasPrefix(code, "08") || slices.Contains(lostStates, code)
}

// ErrRepeat is wrapped by the error of a transaction that failed because of a concurrent one.
var ErrRepeat = errors.New("changed at the same time")

// Repeatable reports whether a transaction failed because of a concurrent one, by a deadlock, a
// serialization failure or ErrRepeat, so that a retry may succeed.
func Repeatable(err error) bool {
	var server *pgconn.PgError
	return errors.Is(err, ErrRepeat) || errors.As(err, &server) && (server.Code == "40P01" || server.Code == "40001")
}

// Lost reports whether err means that the connection to the database is gone or cannot be made,
// whatever the reason: cut, closed, refused, or with a server that refuses connections. A statement
// that was under way may still have taken effect. It is false for errors of anything else,
// such as a service or a database of its own that a plugin calls.
func Lost(err error) bool {
	var connect *pgconn.ConnectError
	var server *pgconn.PgError
	var conn *connError
	switch {
	case errors.As(err, &connect):
		return connect.Config.AfterNetConnect != nil // which a plugin's own pool has no need of
	case errors.As(err, &server):
		return lostState(server.Code) && server.Where == ownDatabase
	case errors.As(err, &conn):
		return true
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return false // A statement after the end of its context is not sent, as one on a closed connection.
	}
	return errors.Is(err, pgconn.ErrConnClosed)
}

// Unreached reports whether an error means that no connection could be made, in which case
// resetting the pool does not help.
func Unreached(err error) bool {
	_, is := errors.AsType[*pgconn.ConnectError](err)
	return is
}

// ForeignKeyBroken reports whether err is a violation of a foreign key.
func ForeignKeyBroken(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23503"
}

// UniqueBroken reports whether err violates the named unique index.
func UniqueBroken(err error, index string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == index
}
