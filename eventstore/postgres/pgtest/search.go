package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// WhereFound returns every column of every table that contains the word, whatever its
// type, bytea and tsvector included.
func WhereFound(t testing.TB, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	var columns int
	var search string // one statement for all tables, since many round trips take many times as long
	err := pool.QueryRow(context.Background(), `SELECT sum(columns), string_agg(search, ' UNION ALL ') FROM (
		SELECT count(*) AS columns, format('SELECT unnest(ARRAY[%s]) FROM %I.%I', string_agg(
			format('CASE WHEN bool_or(%s ILIKE $1) THEN %L END', format(CASE data_type WHEN 'bytea' THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, column_name),
				format('%I.%I.%I', table_schema, table_name, column_name)), ', '), table_schema, table_name) AS search
		FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' GROUP BY table_schema, table_name) tables`).Scan(&columns, &search)
	if err != nil || columns < 100 {
		t.Fatalf("pgtest: there are %d columns: %v", columns, err)
	}
	return All[string](t, pool, `SELECT place FROM (`+search+`) found (place) WHERE place IS NOT NULL ORDER BY place`, "%"+word+"%")
}
