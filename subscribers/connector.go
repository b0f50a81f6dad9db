package subscribers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// work is run inside a database/sql transaction with pgx's own. Given as the one
// argument of ExecContext, it holds the transaction for as long as it runs, so that
// watermill-sql, which knows *sql.Tx only, can neither commit nor roll back beneath
// a handler. It must not panic with the connection in the middle of an answer.
type work func(tx pgx.Tx) error

// statementTimeout is how long the server lets a statement of a subscriber's
// transaction run. It comes before the attempt's own deadline, because a statement
// that the client gives up on costs the connection and with it the whole batch.
const statementTimeout = handlerTimeout - handlerTimeout/5

// openDB gives the pool's connections to watermill-sql.
func openDB(pool *pgxpool.Pool) *sql.DB {
	db := sql.OpenDB(connector{stdlib.GetPoolConnector(pool)})
	db.SetMaxIdleConns(0) // the pool keeps them
	return db
}

type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := inner.(*stdlib.Conn)
	if !ok {
		_ = inner.Close()
		return nil, fmt.Errorf("pgx gave a connection of type %T", inner)
	}
	return &workConn{Conn: conn}, nil
}

type workConn struct {
	*stdlib.Conn
	tx pgx.Tx
}

func (c *workConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if level := sql.IsolationLevel(opts.Isolation); level != sql.LevelDefault && level != sql.LevelReadCommitted {
		return nil, fmt.Errorf("subscribers read at read committed, not at %s", level)
	}
	tx, err := c.Conn.Conn().BeginTx(ctx, pgx.TxOptions{BeginQuery: fmt.Sprintf(
		"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = %d", statementTimeout.Milliseconds())})
	if err != nil {
		return nil, err
	}
	c.tx = tx
	return endTx{ctx, tx}, nil
}

func (c *workConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 1 {
		if w, ok := args[0].Value.(work); ok {
			return driver.ResultNoRows, w(c.tx)
		}
	}
	return c.Conn.ExecContext(ctx, query, args)
}

// endTx ends a transaction with the context it began with, as pgx's own does.
type endTx struct {
	ctx context.Context
	tx  pgx.Tx
}

func (t endTx) Commit() error   { return t.tx.Commit(t.ctx) }
func (t endTx) Rollback() error { return t.tx.Rollback(context.WithoutCancel(t.ctx)) }
