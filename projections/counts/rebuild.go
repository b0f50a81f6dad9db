package counts

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// countAll counts all reports in one snapshot.
const countAll = `WITH now AS MATERIALIZED (SELECT r.id, ` + kindOf + ` FROM ` + reports + `),
		kinds AS (INSERT INTO core_moderation_counts (` + kindColumns + `, reports)
			SELECT ` + kindColumns + `, count(*) FROM now GROUP BY ` + kindColumns + ` RETURNING id AS kind, ` + kindColumns + `)
	INSERT INTO core_moderation_counted (report_id, kind) SELECT id, kind FROM now JOIN kinds USING (` + kindColumns + `)`

// Rebuild counts all reports anew, in one transaction: readers see the counts from before
// until it is done. progress, if any, is called at the end.
func Rebuild(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	var n int64
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL enable_nestloop = off`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, waitForLock); err != nil {
			return err
		}
		// What is appended or moved from here on is followed.
		end, err := eventstore.LastPosition(ctx, tx)
		if err != nil {
			return err
		}
		for _, sql := range []string{`DELETE FROM core_moderation_moves`, `DELETE FROM core_moderation_counts`, `TRUNCATE core_moderation_counted`} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		counted, err := tx.Exec(ctx, countAll)
		if err != nil {
			return err
		}
		n = counted.RowsAffected()
		_, err = tx.Exec(ctx, `INSERT INTO core_projections (name, build, version, state, position) VALUES ($1, 1, 1, 'live', $2)
			ON CONFLICT (name, build) DO UPDATE SET position = EXCLUDED.position, heartbeat_at = now()`, Name, end)
		return err
	})
	if err != nil {
		return fmt.Errorf("rebuild counts: %w", err)
	}
	if progress != nil {
		progress(n, n)
	}
	return nil
}

// Counts that are changing may be a moment behind their reports; Verify gives them this
// long.
const (
	verifyAttempts = 6
	verifyPause    = 500 * time.Millisecond
)

// Verify compares the counts with the reports, takes no lock and changes nothing. It
// returns how many reports it compared, and how many are counted wrong or as what they are
// no longer, after everything had time to follow the log.
func Verify(ctx context.Context, pool *pgxpool.Pool) (compared, wrong int64, err error) {
	const different = `SELECT r.id::text FROM (SELECT r.id, ` + kindOf + ` FROM ` + reports + ` WHERE $1::uuid[] IS NULL OR r.id = ANY ($1::uuid[])) r
		LEFT JOIN core_moderation_counts c USING (` + kindColumns + `)
		LEFT JOIN core_moderation_counted b ON b.report_id = r.id WHERE b.kind IS DISTINCT FROM c.id OR b.kind IS NULL`
	var suspects []string
	for attempt := 0; attempt < verifyAttempts && (attempt == 0 || len(suspects) > 0); attempt++ {
		if attempt > 0 {
			select {
			case <-ctx.Done():
				return compared, 0, ctx.Err()
			case <-time.After(verifyPause):
			}
		}
		err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
			if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
				return err
			}
			if suspects, err = collect(ctx, tx, different, suspects); err != nil || attempt > 0 {
				return err
			}
			return tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM core_moderation_counted), (SELECT coalesce(sum(abs(coalesce(c.reports, 0) - coalesce(k.n, 0))), 0)::bigint
				FROM core_moderation_counts c FULL JOIN (SELECT kind, count(*) AS n FROM core_moderation_counted GROUP BY kind) k ON k.kind = c.id)`).Scan(&compared, &wrong)
		})
		if err != nil {
			return compared, 0, fmt.Errorf("verify counts: %w", err)
		}
	}
	return compared, wrong + int64(len(suspects)), nil
}
