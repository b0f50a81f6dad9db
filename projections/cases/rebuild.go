package cases

import (
	"context"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/follow"
)

// Rebuild stores every case again while servers read and change them. The first one that is
// interrupted begins again, since nothing follows the log before its end. progress, if not
// nil, is called with the number of targets done and their total.
func Rebuild(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error {
	// Followers apply every event after this position, whether or not the rebuild saw it.
	end, err := eventstore.LastPosition(ctx, pool)
	if err != nil {
		return fmt.Errorf("rebuild cases: %w", err)
	}
	err = walk(ctx, pool, progress, func(targets []Target) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if err := follow.Lock(ctx, tx, Name); err != nil {
				return err
			}
			return refresh(ctx, tx, targets, nil)
		})
	})
	if err == nil {
		err = follow.Built(ctx, pool, Name, end)
	}
	if err != nil {
		return fmt.Errorf("rebuild cases: %w", err)
	}
	return nil
}

// Verify compares every case with its reports, takes no lock and changes nothing. It
// returns how many targets it compared, and those whose case is still wrong after the
// follower caught up. If the follower does not, the error is a *follow.BehindError.
func Verify(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) (compared int64, wrong []Target, err error) {
	var suspects []Target
	err = walk(ctx, pool, progress, func(targets []Target) error {
		different, err := compare(ctx, pool, targets)
		compared += int64(len(targets))
		suspects = append(suspects, different...)
		return err
	})
	if err == nil {
		suspects, err = follow.Recheck(ctx, pool, Name, suspects, func(targets []Target) ([]Target, error) { return compare(ctx, pool, targets) })
	}
	if err != nil {
		return compared, nil, fmt.Errorf("verify cases: %w", err)
	}
	return compared, suspects, nil
}

// compare returns the targets whose stored case differs from their reports.
func compare(ctx context.Context, pool *pgxpool.Pool, targets []Target) (different []Target, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		want, err := read(ctx, tx, targets, nil)
		if err != nil {
			return err
		}
		got, err := stored(ctx, tx, targets)
		if err != nil {
			return err
		}
		expected := map[Target]row{}
		for _, r := range want {
			expected[r.Target] = r
		}
		for _, t := range targets {
			if !reflect.DeepEqual(expected[t], got[t]) {
				different = append(different, t)
			}
		}
		return nil
	})
	return different, err
}

// walk calls do with the targets that have a case or should have one, in batches.
func walk(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64), do func([]Target) error) error {
	const behind = `(plugin_id, target_type, target_id) > ($1, $2, $3) ORDER BY 1, 2, 3 LIMIT $4`
	var total, done int64
	if err := pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT DISTINCT plugin_id, target_type, target_id
		FROM core_moderation_reports WHERE status <> 'done') t`).Scan(&total); err != nil {
		return err
	}
	for after := (Target{}); ; {
		targets, err := postgres.Collect(ctx, pool, "list targets", pgx.RowToStructByPos[Target],
			`(SELECT plugin_id, target_type, target_id FROM core_moderation_cases WHERE `+behind+`)
			UNION (SELECT DISTINCT plugin_id, target_type, target_id FROM core_moderation_reports WHERE status <> 'done' AND `+behind+`)
			ORDER BY 1, 2, 3 LIMIT $4`, after.PluginID, after.Type, after.ID, batch)
		if err != nil || len(targets) == 0 {
			return err
		}
		if err := do(targets); err != nil {
			return err
		}
		after, done = targets[len(targets)-1], done+int64(len(targets))
		if progress != nil {
			progress(done, max(total, done))
		}
	}
}
