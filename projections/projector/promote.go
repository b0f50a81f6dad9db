package projector

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// promote makes a build that has caught up the live one, unless a later version is live.
func promote(ctx context.Context, pool *pgxpool.Pool, b Build) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockBuilds, b.Name); err != nil {
			return err
		}
		var waits, later bool // two servers may notice at once that it has caught up
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
	if err != nil {
		return fmt.Errorf("take build %d of %s into use: %w", b.Build, b.Name, err)
	}
	return nil
}
