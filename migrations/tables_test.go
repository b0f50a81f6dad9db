package migrations_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

// A row of TABLES.md: what is made, the file that makes it, and what the third column says.
var listed = regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\| `([0-9a-z_]+)` \\| (.+) \\|$")

func TestThePageSaysWhatMakesEachTableFunctionAndTrigger(t *testing.T) {
	t.Parallel()
	rows, err := pgtest.New(t).Query(t.Context(), `
		SELECT relname, 'TABLE' FROM pg_class
		WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace AND relname <> 'goose_db_version'
		UNION ALL SELECT DISTINCT proname, 'FUNCTION' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		UNION ALL SELECT tgrelid::regclass || '.' || tgname, 'TRIGGER' FROM pg_trigger WHERE NOT tgisinternal`)
	require.NoError(t, err)
	type object struct{ Name, Kind string }
	objects, err := pgx.CollectRows(rows, pgx.RowToStructByPos[object])
	require.NoError(t, err)
	require.NotEmpty(t, objects)

	page, err := os.ReadFile("TABLES.md")
	require.NoError(t, err)
	said := map[string][]string{}
	for _, row := range listed.FindAllStringSubmatch(string(page), -1) {
		require.NotContains(t, said, row[1], "listed twice")
		said[row[1]] = row[2:]
	}
	for _, o := range objects {
		require.NotEmpty(t, said[o.Name], "TABLES.md does not list %s", o.Name)
		require.Equal(t, maker(t, o.Kind, o.Name), said[o.Name][0], "the file that makes %s", o.Name)
		if o.Kind == "TABLE" {
			keeper, err := os.ReadFile("../" + strings.Trim(said[o.Name][1], "`"))
			require.NoError(t, err)
			require.Contains(t, string(keeper), o.Name, "the file that keeps %s", o.Name)
		}
	}
	require.Len(t, said, len(objects), "TABLES.md lists what is not there")
}

// maker returns the last migration that makes a table, function or trigger, without the file's
// suffix.
func maker(t *testing.T, kind, name string) string {
	t.Helper()
	makes := regexp.MustCompile(`CREATE (OR REPLACE |UNLOGGED )?` + kind + ` "?` + name + `"? ?\(`)
	if table, trigger, is := strings.Cut(name, "."); is {
		makes = regexp.MustCompile(`CREATE TRIGGER ` + trigger + ` [^;]* ON ` + table + `\b`)
	}
	files, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	last := ""
	for _, file := range files {
		sql, err := fs.ReadFile(migrations.FS, file)
		require.NoError(t, err)
		up, _, _ := strings.Cut(string(sql), "-- +goose Down")
		if makes.MatchString(up) {
			last = strings.TrimSuffix(file, ".sql")
		}
	}
	return last
}
