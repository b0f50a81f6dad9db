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

func marked(err error) error {
	if err == nil {
		return nil
	}
	return &connError{err}
}
