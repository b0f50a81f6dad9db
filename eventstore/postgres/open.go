// Package postgres opens connection pools with Docket's settings. Other modules must not import it.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// minServerVersion is PostgreSQL 15, in the form of server_version_num.
const minServerVersion = 150000

// ErrPooler means that PgBouncer or a similar pooler answers, in any pooling mode: poolers drop the
// session settings of clients. In transaction mode they also release the session locks of running
// jobs, and lose prepared statements.
var ErrPooler = errors.New("a pooler such as PgBouncer answers for the database and drops session settings (lock_timeout); " +
	"Docket needs sessions of its own for settings, advisory locks and prepared statements, and pools its connections itself: " +
	"connect to PostgreSQL, or through a proxy of connections such as HAProxy in TCP mode")

// Options tunes a pool; the zero value suits a server. Settings in the URL
// (pool_max_conns, connect_timeout, statement_timeout and so on) take precedence.
type Options struct {
	MaxConns        int32           // 0: 16
	ApplicationName string          // seen in pg_stat_activity; "": docket
	Tracer          pgx.QueryTracer // nil: none. Its other pgx tracer interfaces are used too.
	ReadOnly        bool            // transactions are read-only by default

	// Limits for a statement, for waiting for a lock, and for an idle transaction. The defaults are
	// 30 s, 10 s and 60 s. Negative means no limit.
	StatementTimeout         time.Duration
	LockTimeout              time.Duration
	IdleInTransactionTimeout time.Duration
}

// Open returns a pool after its server has passed Check. The caller closes the pool.
func Open(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	pool, err := New(ctx, url, opts)
	if err != nil {
		return nil, err
	}
	if err := Check(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// New returns a pool without connecting to its server. The caller closes the pool.
func New(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	config, err := configure(url, opts)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return pool, nil
}

// maxConns is the default size of a pool.
const maxConns = 16

func configure(url string, opts Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err) // pgx leaves the password out
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = maxConns
		if opts.MaxConns > 0 {
			config.MaxConns = opts.MaxConns
		}
		config.MinConns = min(config.MinConns, config.MaxConns)
	}
	config.MaxConnLifetimeJitter = max(config.MaxConnLifetimeJitter, config.MaxConnLifetime/10)
	if !strings.Contains(url, "connect_timeout") {
		config.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	config.ConnConfig.Tracer = traceWrites(opts.Tracer)
	config.ConnConfig.AfterNetConnect, config.ConnConfig.OnPgError = mark, markErrors(config.ConnConfig.OnPgError)
	config.AfterConnect = TimesInUTC

	param := func(name, value string) {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	application := opts.ApplicationName
	if application == "" {
		application = "docket"
	}
	param("application_name", application)
	param("timezone", "UTC")
	param("jit", "off") // compiling takes longer than any query here saves
	param("statement_timeout", milliseconds(opts.StatementTimeout, 30*time.Second))
	param("lock_timeout", milliseconds(opts.LockTimeout, 10*time.Second))
	param("idle_in_transaction_session_timeout", milliseconds(opts.IdleInTransactionTimeout, 60*time.Second))
	if opts.ReadOnly {
		param("default_transaction_read_only", "on")
	}
	return config, nil
}

// TimesInUTC makes a connection return times in UTC.
func TimesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
	return nil
}

// milliseconds formats a timeout for PostgreSQL, where 0 means no limit.
func milliseconds(d, fallback time.Duration) string {
	switch {
	case d < 0:
		return "0"
	case d == 0:
		d = fallback
	}
	return strconv.FormatInt(max(d.Milliseconds(), 1), 10)
}

// Check returns an error if the server of the pool does not answer, is too old, or is a
// pooler (ErrPooler).
func Check(ctx context.Context, pool *pgxpool.Pool) error {
	var version int
	var kept bool
	// Without a prepared statement, which a pooler may lose between two round trips.
	err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int,
		(SELECT source = 'client' FROM pg_settings WHERE name = 'lock_timeout')`, pgx.QueryExecModeExec).Scan(&version, &kept)
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && strings.Contains(refused.Message, "unsupported startup parameter"):
		return ErrPooler
	case err != nil:
		return fmt.Errorf("connect to the database: %w", err)
	case version < minServerVersion:
		return fmt.Errorf("the database server is PostgreSQL %d; Docket needs %d or newer", version/10000, minServerVersion/10000)
	case !kept:
		return ErrPooler
	}
	return nil
}

// closePatience bounds how long Close waits for the server.
const closePatience = 500 * time.Millisecond

// Close closes an unused pool. It waits for a silent server only for closePatience, unlike
// pgx, which waits for 15 seconds or longer. The connections then end with the process.
func Close(pool *pgxpool.Pool) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		pool.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closePatience):
	}
}
