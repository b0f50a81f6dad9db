// Package quality stores the versions of the settings of second opinions in core_quality. Other modules must not import
// it.
package quality

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Store stores the settings. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	ledger ledger.Ledger
}

// New returns a Store.
func New(pool *pgxpool.Pool, l ledger.Ledger) *Store { return &Store{pool, l} }

// Ledger declares what the ledger proves about the settings, since they decide which decisions are drawn.
var Ledger = &ledger.Table{Kind: "quality", Name: "core_quality", Key: "version::text", Columns: []string{"version", "percent", "golden", "in_force"}}

// Versions returns all settings that were ever in force, the oldest first. There are none by default.
func Versions(ctx context.Context, db postgres.Querier) ([]second.Settings, error) {
	return postgres.Collect(ctx, db, "read the settings of second opinions", pgx.RowToStructByPos[second.Settings],
		`SELECT percent, golden, in_force FROM core_quality ORDER BY version`)
}

// Versions returns all settings that were ever in force, the oldest first.
func (s *Store) Versions(ctx context.Context) ([]second.Settings, error) {
	return Versions(ctx, s.pool)
}

// EverDrew reports whether settings that draw decisions were ever in force.
func (s *Store) EverDrew(ctx context.Context) (bool, error) {
	return postgres.CollectOne(ctx, s.pool, "look for second opinions", pgx.RowTo[bool],
		`SELECT EXISTS (SELECT FROM core_quality WHERE percent > 0)`)
}

// Set puts settings in force from now, unless they are in force already. It returns all versions.
func (s *Store) Set(ctx context.Context, actorID string, settings second.Settings) (all []second.Settings, err error) {
	err = postgres.Transact(ctx, s.pool, "set what is decided again", func(tx pgx.Tx) error {
		if err := postgres.Exec(ctx, tx, "lock the settings", `SELECT pg_advisory_xact_lock(hashtextextended('docket:quality', 0))`); err != nil {
			return err
		}
		if all, err = Versions(ctx, tx); err != nil {
			return err
		}
		var last second.Settings // nothing is drawn
		if len(all) > 0 {
			last = all[len(all)-1]
		}
		// It is later than the previous version, whatever the clocks of two servers show.
		settings.Since = s.ledger.Now().UTC().Truncate(time.Microsecond)
		if !settings.Since.After(last.Since) {
			settings.Since = last.Since.Add(time.Microsecond)
		}
		if settings.Percent == last.Percent && settings.Golden == last.Golden {
			return nil
		}
		all = append(all, settings)
		version := len(all)
		if err := postgres.Exec(ctx, tx, "store them", `INSERT INTO core_quality (version, percent, golden, in_force) VALUES ($1, $2, $3, $4)`,
			version, settings.Percent, settings.Golden, settings.Since); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actorID, ledger.Change{Table: Ledger, Key: strconv.Itoa(version), After: ledger.Row{
			"version": version, "percent": settings.Percent, "golden": settings.Golden, "in_force": settings.Since}})
	})
	return all, err
}
