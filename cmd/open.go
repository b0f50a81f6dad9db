package cmd

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/proof"
)

// Open opens the database that the environment names, applies Docket's migrations, and
// returns the key that its servers sign with. Statements may take any time. It is for
// programs beside the binary; the caller closes the database.
func Open(ctx context.Context, stderr io.Writer) (*Database, proof.Key, error) {
	a := &app{environment: environment(os.Environ()), stdout: io.Discard, stderr: stderr}
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
