package projector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Build is one copy of a projection in a table of its own.
type Build struct {
	Name        string
	Build       int
	Version     int
	State       string // building, live or retired
	Position    int64  // the last projected position of the log
	PausedAt    *time.Time
	PausedWhy   *string
	HeartbeatAt time.Time
}

func (b Build) table() string { return fmt.Sprintf("core_projected_%s_%d", b.Name, b.Build) }

const buildColumns = `name, build, version, state, position, paused_at, paused_why, heartbeat_at`

// Builds returns all builds by name, with the live one of each name first.
func Builds(ctx context.Context, db postgres.Reader) ([]Build, error) {
	return postgres.Collect(ctx, db, "list projections", pgx.RowToStructByPos[Build],
		`SELECT `+buildColumns+` FROM core_projections ORDER BY name, state = 'live' DESC, build DESC`)
}

// lockBuilds serializes transactions that begin or end builds of a projection.
const lockBuilds = `SELECT pg_advisory_xact_lock(hashtextextended('docket:builds:' || $1, 0))`

// StartBuild begins a build of the projection beside the existing ones, unless a build of its
// version is in progress and not paused. If ifNone is set, it begins one only if no build of its
// version exists.
func StartBuild(ctx context.Context, pool *pgxpool.Pool, c Counted, ifNone bool) error {
	return postgres.Transact(ctx, pool, "begin a build of "+c.Name, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockBuilds, c.Name); err != nil {
			return err
		}
		var exists, building bool
		b := Build{Name: c.Name, Version: c.Version}
		err := tx.QueryRow(ctx, `SELECT count(*) > 0, count(*) FILTER (WHERE state = 'building' AND paused_at IS NULL) > 0,
				(SELECT coalesce(max(build), 0) + 1 FROM core_projections WHERE name = $1)
			FROM core_projections WHERE name = $1 AND version = $2`, c.Name, c.Version).Scan(&exists, &building, &b.Build)
		if err != nil || building || ifNone && exists {
			return err
		}
		// The name does not come from input.
		if _, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE %s (LIKE core_projected_%s INCLUDING ALL)`, b.table(), c.Name)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO core_projections (name, build, version, state) VALUES ($1, $2, $3, 'building')`, b.Name, b.Build, b.Version)
		return err
	})
}

// Resume resumes the paused builds of a projection.
func Resume(ctx context.Context, pool *pgxpool.Pool, name string) error {
	return postgres.Exec(ctx, pool, "resume "+name, `UPDATE core_projections SET paused_at = NULL, paused_why = NULL WHERE name = $1`, name)
}

// How long retired builds are kept: for a reader that has just looked up the table, and for servers
// of another version that are down for a while.
const (
	keepForReaders = "5 minutes"
	keepForServers = "1 hour"
)

// dropRetired drops the builds that no server reads: those retired for keepForReaders that have a
// newer build of their version, or that no server has updated for keepForServers.
func dropRetired(ctx context.Context, pool *pgxpool.Pool, name string) error {
	return postgres.Transact(ctx, pool, "drop retired builds of "+name, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockBuilds, name); err != nil {
			return err
		}
		retired, err := postgres.Collect(ctx, tx, "delete builds", pgx.RowToStructByPos[Build], `DELETE FROM core_projections o WHERE name = $1 AND state = 'retired' AND retired_at < now() - interval '`+keepForReaders+`'
			AND (heartbeat_at < now() - interval '`+keepForServers+`' OR EXISTS (SELECT 1 FROM core_projections n
				WHERE n.name = o.name AND n.version = o.version AND n.build > o.build AND n.state <> 'building'))
			RETURNING `+buildColumns, name)
		if err != nil {
			return err
		}
		for _, b := range retired {
			if _, err := tx.Exec(ctx, `DROP TABLE IF EXISTS `+b.table()); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadTable returns the table for readers: that of the newest build of c's version that has caught
// up, else that of the live build.
func ReadTable(ctx context.Context, db postgres.Reader, c Counted) (string, error) {
	b, err := postgres.CollectOne(ctx, db, "find projection "+c.Name, pgx.RowToStructByPos[Build],
		`SELECT `+buildColumns+` FROM core_projections WHERE name = $1 AND state <> 'building'
		ORDER BY version = $2 DESC, state = 'live' DESC, build DESC LIMIT 1`, c.Name, c.Version)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("%s: %w", c.Name, ErrNotBuilt)
	}
	return b.table(), err
}

// promote makes a build that has caught up the live one, unless a later version is live.
func promote(ctx context.Context, pool *pgxpool.Pool, b Build) error {
	return postgres.Transact(ctx, pool, fmt.Sprintf("take build %d of %s into use", b.Build, b.Name), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockBuilds, b.Name); err != nil {
			return err
		}
		var waits, later bool // two servers may see at once that it has caught up
		if err := tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE build = $3 AND state = 'building') > 0,
				count(*) FILTER (WHERE state = 'live' AND (version, build) > ($2, $3)) > 0
			FROM core_projections WHERE name = $1`, b.Name, b.Version, b.Build).Scan(&waits, &later); err != nil || !waits {
			return err
		}
		state := "live"
		if later {
			state = "retired" // servers of this version still read it
		} else if _, err := tx.Exec(ctx, `UPDATE core_projections SET state = 'retired', retired_at = now() WHERE name = $1
				AND (state = 'live' OR state = 'building' AND version = $2 AND build < $3)`, b.Name, b.Version, b.Build); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE core_projections SET state = $3, retired_at = CASE WHEN $3 = 'retired' THEN now() END
			WHERE name = $1 AND build = $2`, b.Name, b.Build, state)
		return err
	})
}

// BuildStatus is the progress of a build.
type BuildStatus struct {
	Name      string       `json:"name"`
	Build     int          `json:"build"`
	Version   int          `json:"version"`
	State     string       `json:"state"` // building, live or retired
	Position  int64        `json:"position"`
	Behind    int64        `json:"behindEvents"`
	Lag       float64      `json:"lagSeconds"` // age of the oldest event that is not projected
	PausedAt  *domain.Time `json:"pausedAt"`
	PausedWhy *string      `json:"pausedWhy"`
}

// Status returns the progress of every build, by name, with the live one of each name first.
func Status(ctx context.Context, db postgres.Reader, now time.Time) ([]BuildStatus, error) {
	return postgres.Collect(ctx, db, "list projections", pgx.RowToStructByPos[BuildStatus],
		`SELECT name, build, version, state, p.position, greatest(log.last - p.position, 0),
			coalesce((SELECT greatest(extract(epoch FROM $1::timestamptz - e.occurred_at), 0) FROM core_moderation_log l
				JOIN core_moderation_report_events e USING (event_id) WHERE l.position = p.position + 1), 0)::float8,
			paused_at, paused_why
		FROM core_projections p CROSS JOIN (SELECT coalesce(max(position), 0) AS last FROM core_moderation_log) log
		ORDER BY name, state = 'live' DESC, build DESC`, now)
}
