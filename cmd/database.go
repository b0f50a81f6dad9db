package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/proof"
)

// Database is a command's connection to the database and, in local mode, to its private cluster.
type Database struct {
	Pool    *pgxpool.Pool
	Replica *pgxpool.Pool // on DATABASE_READ_URL, which may lag; without it Pool itself
	// Reads is the replica once it has caught up, and else Pool.
	Reads postgres.Reader
	URL   string // of Pool

	cfg     *Config
	log     zerolog.Logger
	cluster *local.Cluster // nil except in local mode
}

// sealer returns a sealer that notifies nobody, for commands.
func (db *Database) sealer() *eventstore.Sealer {
	return eventstore.NewSealer(db.Pool, db.log, func(int64) {})
}

// openDatabase connects to DATABASE_URL, or starts or joins the private cluster. It applies
// no migrations. The caller must close it.
func openDatabase(ctx context.Context, cfg *Config, log zerolog.Logger, opts postgres.Options) (db *Database, err error) {
	db = &Database{URL: cfg.DatabaseURL, cfg: cfg, log: log}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if db.URL == "" {
		if db.cluster, err = local.Start(ctx, cfg.DataDir, log); err != nil {
			return db, fmt.Errorf("local PostgreSQL: %w", err)
		}
		db.URL = db.cluster.URL()
	}
	if db.Pool, err = postgres.Open(ctx, db.URL, opts); err != nil {
		return db, err
	}
	db.Replica, db.Reads = db.Pool, db.Pool
	if cfg.DatabaseReadURL == "" {
		return db, nil
	}
	opts.ReadOnly = true
	if db.Replica, err = postgres.New(ctx, cfg.DatabaseReadURL, opts); err != nil {
		return db, fmt.Errorf("DATABASE_READ_URL: %w", err)
	}
	db.Reads = postgres.NewReplica(db.Pool, db.Replica)
	switch err := postgres.Check(ctx, db.Replica); {
	case postgres.Lost(err):
		log.Warn().Err(err).Msg("DATABASE_READ_URL does not answer: reads use the primary")
	case err != nil:
		return db, fmt.Errorf("DATABASE_READ_URL: %w", err)
	}
	return db, nil
}

// Close closes the pools and leaves the private cluster.
func (db *Database) Close() error {
	if db.Replica != nil && db.Replica != db.Pool {
		postgres.Close(db.Replica)
	}
	if db.Pool != nil {
		postgres.Close(db.Pool)
	}
	if db.cluster == nil {
		return nil
	}
	return db.cluster.Stop()
}

// withDatabase opens the database, runs work on it and closes it.
func (a *app) withDatabase(ctx context.Context, work func(*Database) error) (err error) {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, cfg, cfg.logger(a.stderr), postgres.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return work(db)
}

// withMigrated is withDatabase for work that needs every migration. It fails while one is
// pending.
func (a *app) withMigrated(ctx context.Context, work func(*Database) error) error {
	return a.withDatabase(ctx, func(db *Database) error {
		if err := checkMigrations(ctx, db.Pool, db.log, false); err != nil {
			return err
		}
		return work(db)
	})
}

// Open opens the database that the environment names, applies Docket's migrations, and returns the
// servers' signing key. Statements have no timeout. It is for programs beside the binary; the
// caller closes the database.
func Open(ctx context.Context, stderr io.Writer) (*Database, proof.Key, error) {
	a := &app{environment: env.ToMap(os.Environ()), stdout: io.Discard, stderr: stderr}
	cfg, err := a.config()
	if err != nil {
		return nil, proof.Key{}, err
	}
	key, err := cfg.signer()
	if err != nil {
		return nil, proof.Key{}, err
	}
	log := cfg.logger(stderr)
	db, err := openDatabase(ctx, cfg, log, postgres.Options{StatementTimeout: -1, IdleInTransactionTimeout: -1})
	if err != nil {
		return nil, proof.Key{}, err
	}
	if err := checkMigrations(ctx, db.Pool, log, true); err != nil {
		return nil, proof.Key{}, errors.Join(err, db.Close())
	}
	return db, key, nil
}
