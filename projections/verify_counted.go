package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// VerifyCounted counts a projection anew, up to where its live build is, and
// returns how many rows differ. It works in one snapshot while the live build
// goes on, and keeps nothing. progress, if any, hears of positions.
func VerifyCounted(ctx context.Context, pool *pgxpool.Pool, p Projection, progress func(done, total int64)) (rows, wrong int64, err error) {
	table, err := readTable(ctx, pool, p)
	if err != nil {
		return 0, 0, err
	}
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		var end int64
		err := tx.QueryRow(ctx, `SELECT position FROM core_projections WHERE 'core_projected_' || name || '_' || build = $1`, table).Scan(&end)
		if err != nil {
			return err
		}
		const anew = "core_projected_anew"
		if _, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TEMPORARY TABLE %s (LIKE core_projected_%s INCLUDING ALL) ON COMMIT DROP`, anew, p.Name)); err != nil {
			return err
		}
		for at := int64(0); at < end; {
			steps, last, err := readSteps(ctx, tx, at, int(min(projectBatch, end-at)))
			if err != nil {
				return err
			}
			if err := p.apply(ctx, tx, anew, steps); err != nil {
				return err
			}
			at = last
			if progress != nil {
				progress(at, end)
			}
		}
		return tx.QueryRow(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s), (SELECT count(*) FROM
			((TABLE %[1]s EXCEPT TABLE %[2]s) UNION ALL (TABLE %[2]s EXCEPT TABLE %[1]s)) d)`, table, anew)).Scan(&rows, &wrong)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("verify %s: %w", p.Name, err)
	}
	return rows, wrong, nil
}
