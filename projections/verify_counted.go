package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// anew is the table that VerifyCounted counts into, of its session alone.
const anew = "pg_temp.core_projected_anew"

// VerifyCounted counts a projection anew, up to where its live build is, and
// returns how many rows differ. The live build goes on meanwhile. It works in short
// transactions, since one that writes holds up the delivery of messages in the whole
// cluster, and keeps nothing. progress, if any, hears of positions between them.
func VerifyCounted(ctx context.Context, pool *pgxpool.Pool, p Projection, progress func(done, total int64)) (rows, wrong int64, err error) {
	table, err := readTable(ctx, pool, p)
	if err != nil {
		return 0, 0, err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("verify %s: %w", p.Name, err)
	}
	defer conn.Release()
	defer func() {
		// The session goes on in the pool; where the table stays, it ends.
		dropping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if _, err := conn.Exec(dropping, `DROP TABLE IF EXISTS `+anew); err != nil {
			_ = conn.Conn().Close(dropping)
		}
	}()
	if _, err := conn.Exec(ctx, fmt.Sprintf(`CREATE TEMPORARY TABLE %s (LIKE core_projected_%s INCLUDING ALL)`, anew, p.Name)); err != nil {
		return 0, 0, fmt.Errorf("verify %s: %w", p.Name, err)
	}
	at, end := int64(0), int64(1)
	for at < end {
		err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
			err := tx.QueryRow(ctx, `SELECT position FROM core_projections WHERE 'core_projected_' || name || '_' || build = $1`, table).Scan(&end)
			if err != nil {
				return err
			}
			if at < end {
				steps, last, err := readSteps(ctx, tx, at, int(min(projectBatch, end-at)))
				if err != nil {
					return err
				}
				if last == at { // the log ends before the build does
					return &eventstore.PoisonError{Position: at + 1, Err: errMissing}
				}
				if err := p.apply(ctx, tx, anew, steps); err != nil {
					return err
				}
				at = last
			}
			if at < end {
				return nil
			}
			// The live build is in the snapshot of the last batch, as far as that goes.
			return tx.QueryRow(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s), (SELECT count(*) FROM
				((TABLE %[1]s EXCEPT TABLE %[2]s) UNION ALL (TABLE %[2]s EXCEPT TABLE %[1]s)) d)`, table, anew)).Scan(&rows, &wrong)
		})
		if err != nil {
			return 0, 0, fmt.Errorf("verify %s: %w", p.Name, err)
		}
		if progress != nil {
			progress(at, end)
		}
	}
	return rows, wrong, nil
}
