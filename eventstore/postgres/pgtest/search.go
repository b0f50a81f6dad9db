package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// WhereFound returns every column of every table that contains the word, whatever its type, bytea
// and tsvector included. The word must not contain a quote or a backslash.
func WhereFound(t testing.TB, pool *pgxpool.Pool, word string) []string {
	t.Helper()
	// First whole rows, then the columns of tables with a match: planning an expression for each column of each table
	// takes longer than reading them.
	var columns int
	var search string // one statement for all tables, since many round trips take much longer
	err := pool.QueryRow(context.Background(), `SELECT sum(columns), string_agg(search, ' UNION ALL ') FROM (
		SELECT count(*) AS columns, format('SELECT %s::oid FROM %s searched HAVING bool_or(searched::text ILIKE $1%s)', c.oid, c.oid::regclass,
			string_agg(format(' OR encode(%I, ''escape'') ILIKE $1', attname), '') FILTER (WHERE atttypid = 'bytea'::regtype)) AS search
		FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		WHERE relkind IN ('r', 'p') AND nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema' GROUP BY c.oid) tables`).Scan(&columns, &search)
	if err != nil || columns < 100 {
		t.Fatalf("pgtest: there are %d columns: %v", columns, err)
	}
	pattern := "%" + word + "%"
	tables := All[uint32](t, pool, search, pattern)
	if len(tables) == 0 {
		return []string{}
	}
	search = One[string](t, pool, `SELECT string_agg(format('SELECT %L FROM %s HAVING bool_or(%s ILIKE $1)', nspname || '.' || relname || '.' || attname, c.oid::regclass,
			format(CASE atttypid WHEN 'bytea'::regtype THEN 'encode(%I, ''escape'')' ELSE '%I::text' END, attname)), ' UNION ALL ')
		FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped WHERE c.oid = ANY ($1)`, tables)
	return All[string](t, pool, search+" ORDER BY 1", pattern)
}
