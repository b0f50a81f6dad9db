package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// PlannedAnew returns the statements that the idle connections of a pool have planned for
// their values more often than PostgreSQL does with every statement before it considers one
// plan for all values.
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
