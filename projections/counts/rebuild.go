package counts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/follow"
)

// rebuildBatch is the number of reports that are counted in one transaction, for which
// followers wait.
const rebuildBatch = 2000

// Rebuild counts all reports again while servers read and change them. Each report is counted
// once, since its kind is stored with its count: an interrupted rebuild, run again, only reads
// the reports that it has counted. Nobody reads counts until they were complete for the first
// time. progress, if not nil, is called with the number of reports done and about how many
// there are.
func Rebuild(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	if err := rebuild(ctx, pool, progress); err != nil {
		return fmt.Errorf("rebuild counts: %w", err)
	}
	return nil
}

func rebuild(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	// Followers apply every event after this position, and every move, whether or not the
	// rebuild saw it.
	end, err := eventstore.LastPosition(ctx, pool)
	if err != nil {
		return err
	}
	var done, total int64
	if err := pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_reports`).Scan(&total); err != nil {
		return err
	}
	if err := correct(ctx, pool); err != nil {
		return err
	}
	for after, more := firstID, true; more; {
		ids, err := postgres.Collect(ctx, pool, "list reports", pgx.RowTo[string], nextReports, after, rebuildBatch)
		if err != nil {
			return err
		}
		through := lastID
		if more = len(ids) == rebuildBatch; more {
			through = ids[len(ids)-1]
		}
		err = locked(ctx, pool, func(tx pgx.Tx) error {
			if err := recount(ctx, tx, ids); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, forget, after, through)
			return err
		})
		if err != nil {
			return err
		}
		after, done = through, done+int64(len(ids))
		if progress != nil {
			progress(done, max(total, done))
		}
	}
	return follow.Built(ctx, pool, Name, end)
}

// nextReports selects reports after $1 by the primary key.
const nextReports = `SELECT r.id::text FROM core_moderation_reports r WHERE r.id > $1 ORDER BY r.id LIMIT $2`

// The ids before and after those of all reports.
const (
	firstID = "00000000-0000-0000-0000-000000000000"
	lastID  = "ffffffff-ffff-ffff-ffff-ffffffffffff"
)

// forget uncounts the reports with ids after $1 and up to $2 that have no row any more.
const forget = `WITH gone AS (DELETE FROM core_moderation_counted b WHERE b.report_id > $1 AND b.report_id <= $2
		AND NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.id = b.report_id) RETURNING b.kind)
	UPDATE core_moderation_counts c SET reports = c.reports - g.n FROM (SELECT kind, count(*) AS n FROM gone GROUP BY kind) g WHERE c.id = g.kind`

// locked runs do in a transaction that holds the projection's lock.
func locked(ctx context.Context, pool *pgxpool.Pool, do func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := follow.Lock(ctx, tx, Name); err != nil {
			return err
		}
		return do(tx)
	})
}

// correct makes each count the number of reports that are counted under its kind. Followers
// change both by the same number, so the difference stays what one snapshot shows, and only
// adding it needs their lock. Another lock keeps two rebuilds from adding it twice.
func correct(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return err
		}
		if err := follow.Lock(ctx, tx, Name+" correct"); err != nil {
			return err
		}
		var kinds []int
		var missing []int64
		var kind int
		var n int64
		err := postgres.ForEach(ctx, tx, "compare counts", []any{&kind, &n}, func() error {
			kinds, missing = append(kinds, kind), append(missing, n)
			return nil
		}, `SELECT c.id, coalesce(k.n, 0) - c.reports FROM core_moderation_counts c
			LEFT JOIN (SELECT kind, count(*) AS n FROM core_moderation_counted GROUP BY kind) k ON k.kind = c.id WHERE coalesce(k.n, 0) <> c.reports`)
		if err != nil || len(kinds) == 0 {
			return err
		}
		if err := follow.Lock(ctx, tx, Name); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_moderation_counts c SET reports = c.reports + m.n
			FROM unnest($1::int[], $2::bigint[]) m (kind, n) WHERE c.id = m.kind`, kinds, missing)
		return err
	})
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
