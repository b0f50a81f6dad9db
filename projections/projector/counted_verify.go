package projector

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
)

// countedTable is the temporary table that Verify counts into.
const countedTable = "pg_temp.core_projected_anew"

// Verify counts the projection again, up to the position of its live build, and compares the rows.
// The live build continues meanwhile. Verify uses short transactions, since a long writing one
// delays the delivery of messages in the whole cluster.
func (c Counted) Verify(ctx context.Context, pool *pgxpool.Pool, o Options) (r Result, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("verify %s: %w", c.Name, err)
		}
	}()
	table, err := ReadTable(ctx, pool, c)
	if err != nil {
		return r, err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return r, err
	}
	defer conn.Release()
	defer func() {
		// The connection returns to the pool, unless the table could not be dropped.
		dropping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if _, err := conn.Exec(dropping, `DROP TABLE IF EXISTS `+countedTable); err != nil {
			_ = conn.Conn().Close(dropping)
		}
	}()
	if _, err := conn.Exec(ctx, fmt.Sprintf(`CREATE TEMPORARY TABLE %s (LIKE core_projected_%s INCLUDING ALL)`, countedTable, c.Name)); err != nil {
		return r, err
	}
	for at, end := int64(0), int64(1); at < end; o.progress(at, end) {
		err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
			err := tx.QueryRow(ctx, `SELECT position FROM core_projections WHERE 'core_projected_' || name || '_' || build = $1`, table).Scan(&end)
			if err != nil {
				return err
			}
			if at < end {
				steps, last, err := readSteps(ctx, tx, at, int(min(countedBatch, end-at)))
				if err != nil {
					return err
				}
				if last == at { // the log is shorter than the build
					return &eventstore.PoisonError{Position: at + 1, Err: errMissing}
				}
				if err := c.apply(ctx, tx, countedTable, steps); err != nil {
					return err
				}
				at = last
			}
			if at < end {
				return nil
			}
			// The snapshot of this last batch holds the live build at the same position.
			return tx.QueryRow(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s), (SELECT count(*) FROM
				((TABLE %[1]s EXCEPT TABLE %[2]s) UNION ALL (TABLE %[2]s EXCEPT TABLE %[1]s)) d)`, table, countedTable)).Scan(&r.Compared, &r.Wrong)
		})
		if err != nil {
			return r, err
		}
	}
	return r, nil
}
