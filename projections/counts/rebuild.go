package counts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections/follow"
)

// countAll counts all reports in one snapshot.
const countAll = `WITH now AS MATERIALIZED (SELECT r.id, ` + kindOf + ` FROM ` + reports + `),
		kinds AS (INSERT INTO core_moderation_counts (` + kindColumns + `, reports)
			SELECT ` + kindColumns + `, count(*) FROM now GROUP BY ` + kindColumns + ` RETURNING id AS kind, ` + kindColumns + `)
	INSERT INTO core_moderation_counted (report_id, kind) SELECT id, kind FROM now JOIN kinds USING (` + kindColumns + `)`

// Rebuild counts all reports again, in one transaction: readers see the former counts until
// it commits. progress, if not nil, is called once at the end.
func Rebuild(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	var n int64
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL enable_nestloop = off`); err != nil {
			return err
		}
		if err := follow.Lock(ctx, tx, Name); err != nil {
			return err
		}
		// Followers apply every later event and move.
		end, err := eventstore.LastPosition(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM core_moderation_moves; DELETE FROM core_moderation_counts; TRUNCATE core_moderation_counted`); err != nil {
			return err
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

// Verify compares the counts with the reports, takes no lock and changes nothing. It
// returns how many reports it compared, and how many are still counted wrongly after the
// follower caught up. If the follower does not, the error is a *follow.BehindError.
func Verify(ctx context.Context, pool *pgxpool.Pool) (compared, wrong int64, err error) {
	const different = `SELECT r.id::text FROM (SELECT r.id, ` + kindOf + ` FROM ` + reports + ` WHERE $1::uuid[] IS NULL OR r.id = ANY ($1::uuid[])) r
		LEFT JOIN core_moderation_counts c USING (` + kindColumns + `)
		LEFT JOIN core_moderation_counted b ON b.report_id = r.id WHERE b.kind IS DISTINCT FROM c.id OR b.kind IS NULL`
	check := func(ids []string) (suspects []string, err error) {
		err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
			if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
				return err
			}
			if suspects, err = collect(ctx, tx, different, ids); err != nil || ids != nil {
				return err
			}
			return tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM core_moderation_counted), (SELECT coalesce(sum(abs(coalesce(c.reports, 0) - coalesce(k.n, 0))), 0)::bigint
				FROM core_moderation_counts c FULL JOIN (SELECT kind, count(*) AS n FROM core_moderation_counted GROUP BY kind) k ON k.kind = c.id)`).Scan(&compared, &wrong)
		})
		return suspects, err
	}
	suspects, err := check(nil)
	if err == nil {
		suspects, err = follow.Recheck(ctx, pool, Name, suspects, check)
	}
	if err != nil {
		return compared, 0, fmt.Errorf("verify counts: %w", err)
	}
	return compared, wrong + int64(len(suspects)), nil
}
