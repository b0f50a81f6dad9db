package migrations_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// The page for operators names every table and its end: rows are kept, trimmed by a job, or
// bounded by something other than reports.
var documentedTable = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| .+ \\| (kept|trimmed|bounded): .+ \\|$")

func TestEveryTableHasAStatedEnd(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	page, err := os.ReadFile("../scripts/deploy/GROWTH.md")
	require.NoError(t, err)
	ends := map[string]string{}
	for _, found := range documentedTable.FindAllSubmatch(page, -1) {
		require.NotContains(t, ends, string(found[1]), "documented twice")
		ends[string(found[1])] = string(found[2])
	}
	type table struct {
		Name  string
		Tuned bool
	}
	rows, err := pool.Query(t.Context(), `SELECT relname, coalesce(array_to_string(reloptions, ','), '') LIKE '%autovacuum%'
		FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	require.NoError(t, err)
	for _, table := range all {
		require.Contains(t, ends, table.Name, "scripts/deploy/GROWTH.md does not say what ends it")
		if ends[table.Name] != "bounded" {
			require.True(t, table.Tuned, "%s has no autovacuum settings of its own", table.Name)
		}
	}
	require.Len(t, ends, len(all), "scripts/deploy/GROWTH.md names a table that is not there")
}
