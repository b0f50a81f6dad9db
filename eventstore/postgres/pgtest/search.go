package pgtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// WhereFound returns every column of every table that contains the word, whatever its
// type, bytea and tsvector included.
func WhereFound(t testing.TB, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	ctx := context.Background()
	rows, err := pool.Query(ctx, `SELECT format('%I.%I', table_schema, table_name), quote_ident(column_name), data_type
		FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' ORDER BY 1, 2`)
	if err != nil {
		t.Fatalf("pgtest: list columns: %v", err)
	}
	type column struct{ Table, Name, Type string }
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	if err != nil || len(columns) < 100 {
		t.Fatalf("pgtest: there are %d columns: %v", len(columns), err)
	}
	var found []string
	for _, c := range columns {
		text := c.Name + "::text"
		if c.Type == "bytea" {
			text = "encode(" + c.Name + ", 'escape')"
		}
		var n int
		if err := pool.QueryRow(ctx, fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s ILIKE $1`, c.Table, text), "%"+word+"%").Scan(&n); err != nil {
			t.Fatalf("pgtest: search %s.%s: %v", c.Table, c.Name, err)
		}
		if n > 0 {
			found = append(found, c.Table+"."+c.Name)
		}
	}
	return found
}
