// Package migrations holds Docket's schema as goose SQL files and applies them, and
// those of plugins.
//
// A file's version is its time stamp. The migration of the two report tables is 20261011193321_add_moderation_reports.
// A migration of any other table has an earlier version, even if it is written later, and one that changes the report
// tables a later version. So versions arrive out of order by design, and the runner applies whatever is missing. Other
// modules must not import it.
package migrations

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres"
)

// FS holds Docket's own migration files, at its root.
//
//go:embed *.sql
var FS embed.FS

// lockWait bounds how long one runner waits for another on the same database, and how long
// it tries to get the locks of a migration.
const lockWait = 5 * time.Minute

// lockPatience is how long a statement of a migration waits for a lock. It is shorter than
// PostgreSQL's deadlock_timeout, so that the migration yields in a deadlock with a request, and so
// that requests do not queue behind it for long.
const lockPatience = 400 * time.Millisecond

// The SQLSTATEs of a statement that did not get a lock.
const (
	lockNotAvailable = "55P03"
	deadlockDetected = "40P01"
)

// A Migration is one file and its state in a database.
type Migration struct {
	Version   int64
	Name      string    // the file's name
	AppliedAt time.Time // zero while it is pending
}

// Pending reports whether the migration is not applied yet.
func (m Migration) Pending() bool { return m.AppliedAt.IsZero() }

// Set is the migrations of Docket or of one plugin, which are applied separately.
type Set struct {
	files fs.FS
	table string // records what is applied
}

// Docket is Docket's own migrations.
var Docket = Set{files: FS, table: goose.DefaultTablename}

// Plugin is the migrations of a plugin: SQL files at the root of files.
func Plugin(pluginID string, files fs.FS) Set {
	return Set{files: files, table: registry.VersionsTable(pluginID)}
}

// Up applies every pending migration and returns those that it applied, in order. Runners on one
// database wait for each other, so any number of servers may call it at once. Each file is one
// transaction, unless it opts out: after an error, all files before the faulty one stay applied.
//
// A file that is one transaction yields to running servers: if it does not get a lock soon it
// starts again, for up to five minutes.
func (s Set) Up(ctx context.Context, pool *pgxpool.Pool) (applied []Migration, err error) {
	patient, db, err := s.newProvider(pool, 0)
	if err != nil || patient == nil {
		return nil, err
	}
	defer db.Close()
	yielding, db, err := s.newProvider(pool, lockPatience)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all, err := s.Status(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if !m.Pending() {
			continue
		}
		provider := yielding
		text, err := fs.ReadFile(s.files, m.Name)
		if err != nil {
			return applied, fmt.Errorf("read migration: %w", err)
		}
		if bytes.Contains(text, []byte("+goose NO TRANSACTION")) {
			provider = patient // its statements hold few locks and take long to repeat
		}
		switch result, err := apply(ctx, provider, m.Version); {
		case errors.Is(err, goose.ErrAlreadyApplied): // by another runner, meanwhile
		case err != nil:
			return applied, fmt.Errorf("migrate up: %w", err)
		default:
			applied = append(applied, migration(result.Source, time.Now()))
		}
	}
	return applied, nil
}

// apply applies one migration. It repeats one that did not get a lock.
func apply(ctx context.Context, provider *goose.Provider, version int64) (*goose.MigrationResult, error) {
	const longest = 2 * time.Second
	deadline := time.Now().Add(lockWait)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, longest) {
		result, err := provider.ApplyVersion(ctx, version, true)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != lockNotAvailable && refused.Code != deadlockDetected || time.Now().After(deadline) {
			return result, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}

// Down reverts the last applied migration and returns it, or nil if none is applied.
func (s Set) Down(ctx context.Context, pool *pgxpool.Pool) (*Migration, error) {
	provider, db, err := s.newProvider(pool, 0)
	if err != nil || provider == nil {
		return nil, err
	}
	defer db.Close()
	result, err := provider.Down(ctx)
	if errors.Is(err, goose.ErrNoNextVersion) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("migrate down: %w", err)
	}
	return new(migration(result.Source, time.Time{})), nil
}

// Status returns every migration, by version. It only reads: unlike goose's own, it neither waits
// for a runner nor creates the version table.
func (s Set) Status(ctx context.Context, pool *pgxpool.Pool) ([]Migration, error) {
	names, err := fs.Glob(s.files, "*.sql") // sorted
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	applied := map[int64]time.Time{}
	recorded, err := postgres.CollectOne(ctx, pool, "look for the migration table", pgx.RowTo[bool], `SELECT to_regclass($1) IS NOT NULL`, s.table)
	if err != nil {
		return nil, err
	}
	if recorded {
		var version int64
		var at time.Time
		err := postgres.ForEach(ctx, pool, "read applied migrations", []any{&version, &at}, func() error {
			applied[version] = at
			return nil
		}, `SELECT version_id, max(tstamp) FROM `+pgx.Identifier{s.table}.Sanitize()+` GROUP BY version_id`)
		if err != nil {
			return nil, err
		}
	}
	all := make([]Migration, 0, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
		all = append(all, Migration{Version: version, Name: name, AppliedAt: applied[version]})
	}
	slices.SortFunc(all, func(a, b Migration) int { return cmp.Compare(a.Version, b.Version) })
	return all, nil
}

// Current reports whether no migration is pending.
func (s Set) Current(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	all, err := s.Status(ctx, pool)
	return err == nil && !slices.ContainsFunc(all, Migration.Pending), err
}

// newProvider opens its own connections, without the pool's timeouts, since a migration may run
// longer. forLock is how long a statement waits for a lock; 0 means no limit. The provider is nil
// if there are no files.
func (s Set) newProvider(pool *pgxpool.Pool, forLock time.Duration) (*goose.Provider, *sql.DB, error) {
	config := pool.Config().ConnConfig
	config.RuntimeParams["statement_timeout"] = "0"
	config.RuntimeParams["lock_timeout"] = strconv.FormatInt(forLock.Milliseconds(), 10)
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	// Every waiting runner asks once a second.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, uint64(lockWait.Seconds())))
	if err != nil {
		return nil, nil, fmt.Errorf("migration lock: %w", err)
	}
	db := stdlib.OpenDB(*config)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, s.files,
		goose.WithTableName(s.table),
		goose.WithSessionLocker(locker),
		goose.WithAllowOutofOrder(true),
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(slog.New(slog.DiscardHandler)),
	)
	if errors.Is(err, goose.ErrNoMigrations) {
		return nil, nil, db.Close()
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read migrations: %w", err), db.Close())
	}
	return provider, db, nil
}

func migration(source *goose.Source, appliedAt time.Time) Migration {
	return Migration{Version: source.Version, Name: source.Path, AppliedAt: appliedAt}
}
