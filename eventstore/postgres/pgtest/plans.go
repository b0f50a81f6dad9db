package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// PlannedAnew returns the statements of a pool's idle connections for which PostgreSQL still uses
// custom plans. It does so five times before it considers a generic plan.
func PlannedAnew(t testing.TB, pool *pgxpool.Pool) []string {
	t.Helper()
	const attempts = 5
	var found []string
	for _, conn := range pool.AcquireAllIdle(context.Background()) {
		rows, err := conn.Query(context.Background(), `SELECT statement FROM pg_prepared_statements WHERE custom_plans > $1`, attempts)
		if err == nil {
			var anew []string
			anew, err = pgx.CollectRows(rows, pgx.RowTo[string])
			found = append(found, anew...)
		}
		conn.Release()
		if err != nil {
			t.Fatalf("pgtest: read plans: %v", err)
		}
	}
	return found
}
