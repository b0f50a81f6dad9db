package postgres

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// markedConn is a connection to Docket's database. Its errors are connErrors, which distinguishes them from network
// errors of plugins' other connections.
type markedConn struct{ net.Conn }

type connError struct{ error }

func (e *connError) Unwrap() error { return e.error }

// mark is pgconn's AfterNetConnect, which is called after TLS is set up.
func mark(_ context.Context, _ *pgconn.Config, conn net.Conn) (net.Conn, error) {
	return markedConn{conn}, nil
}

func (c markedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	return n, marked(err)
}

func (c markedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	return n, marked(err)
}

// ownDatabase is the Where of errors of Docket's database that mean that the connection is lost.
const ownDatabase = "Docket's database"

// markErrors returns pgconn's OnPgError. It marks the error of a database server that goes away, so that Lost does not
// mistake the same error of a plugin's own database for it. It also closes the connection, since pgx returns the marked
// error only then.
func markErrors(otherwise pgconn.PgErrorHandler) pgconn.PgErrorHandler {
	return func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		if lostState(err.Code) {
			err.Where = ownDatabase
			return false
		}
		return otherwise(conn, err)
	}
}

func marked(err error) error {
	if err == nil {
		return nil
	}
	return &connError{err}
}
