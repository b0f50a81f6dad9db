package cmd

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// column is a column, and its kind of values.
type column struct {
	table, name, kind string
	nullable          bool
	checks            string
}

func (s *sweep) columns() []column {
	rows, err := s.pool.Query(s.t.Context(), `SELECT c.relname, quote_ident(attname), format_type(atttypid, -1), NOT attnotnull,
			coalesce((SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k WHERE conrelid = c.oid AND contype = 'c' AND attnum = ANY (conkey)), '')
		FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attgenerated = '' ORDER BY 1, attnum`)
	require.NoError(s.t, err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c column, err error) {
		return c, row.Scan(&c.table, &c.name, &c.kind, &c.nullable, &c.checks)
	})
	require.NoError(s.t, err)
	for _, c := range all {
		require.Contains(s.t, written, c.kind, "how to edit %s.%s", c.table, c.name)
	}
	retired := one[[]string](s.t, s.pool, `SELECT coalesce(array_agg('core_projected_' || name || '_' || build), '{}') FROM core_projections WHERE state = 'retired'`)
	return slices.DeleteFunc(all, func(c column) bool { return !swept(c.table) || slices.Contains(retired, c.table) })
}

// onPage is the column's name in SECURITY.md.
func (c column) onPage() string { return pageName(c.table) + "." + strings.Trim(c.name, `"`) }

// edit is a change of a value: the first of the expressions that the database takes.
type edit struct {
	where string // which rows have such a value
	to    []string
}

var literal = regexp.MustCompile(`'[A-Za-z_]+'`)

// written are other values of each type, of which %s is the column.
var written = map[string][]string{
	"text": {"t.%s || 'x'"}, "character varying": {"left(t.%s, 35) || 'x'"}, "boolean": {"NOT t.%s"},
	"uuid":                        {"(SELECT id FROM core_users u WHERE u.id <> t.%s LIMIT 1)", "gen_random_uuid()"},
	"integer":                     {"t.%s + 1", "t.%s + 1000"},
	"bigint":                      {"t.%s + 1", "t.%s + 1000"},
	"double precision":            {"t.%s / 2 + 0.1"},
	"bigint[]":                    {"t.%s || 1::bigint"},
	"smallint":                    {"t.%s + 1"},
	"date":                        {"t.%s + 1"},
	"timestamp with time zone":    {"t.%s + interval '1 day'"},
	"timestamp without time zone": {"t.%s + interval '1 day'"},
	"timestamp with time zone[]":  {"t.%s || now()"},
	"bytea":                       {"set_byte(t.%s, 0, get_byte(t.%[1]s, 0) # 1)"},
	"inet":                        {"t.%s + 1"},
	"xid8":                        {"(t.%s::text::bigint + 1)::text::xid8"},
	"uuid[]":                      {"t.%s || gen_random_uuid()"},
	"text[]":                      {"t.%s || 'x'::text"},
	"tsvector":                    {"t.%s || to_tsvector('insider')"},
	"json":                        {`regexp_replace(t.%s::text, '(: ?")([^"]*")', '\1x\2')::json`, `regexp_replace(t.%s::text, '"([^"]*)"', '"x\1"')::json`},
	"jsonb":                       {`regexp_replace(t.%s::text, '(: ?")([^"]*")', '\1x\2')::jsonb`, `regexp_replace(t.%s::text, '(: ?)([0-9])', '\11\2')::jsonb`},
}

// changes are the kinds of edits that a column's values allow.
func (c column) changes() (all []edit) {
	other := fmt.Sprintf(`(SELECT o.%s FROM %s o WHERE o.%[1]s::text <> t.%[1]s::text LIMIT 1)`, c.name, c.table)
	to := append([]string{other}, literal.FindAllString(c.checks, -1)...)
	for _, expression := range written[c.kind] {
		to = append(to, strings.ReplaceAll(strings.ReplaceAll(expression, "%s", c.name), "%[1]s", c.name))
	}
	if c.table == "core_projections" { // what other rows have depends on what was built when
		to = to[1:]
		if c.kind == "bigint" { // a step may lead past an event that is not counted
			to = to[1:]
		}
	}
	all = append(all, edit{"t." + c.name + " IS NOT NULL", to})
	if c.nullable {
		empty := map[string]string{"text": "'x'", "uuid": "gen_random_uuid()", "integer": "1", "bigint": "1", "boolean": "true", "timestamp with time zone": "now()",
			"bytea": `'\x01'`, "json": "'[]'", "jsonb": "'{}'", "inet": "'192.0.2.1'", "xid8": "'1'"}[c.kind]
		all = append(all, edit{"t." + c.name + " IS NOT NULL", []string{"NULL"}},
			edit{"t." + c.name + " IS NULL", append([]string{fmt.Sprintf(`(SELECT o.%s FROM %s o WHERE o.%[1]s IS NOT NULL LIMIT 1)`, c.name, c.table), cmp.Or(empty, "NULL")}, literal.FindAllString(c.checks, -1)...)})
	}
	return all
}

// counting selects the rows that anybody reads.
func (c column) counting() string {
	if c.table == "core_projections" {
		return "t.state = 'live' AND t.name NOT IN ('cases', 'counts', 'fingerprints', 'rules', 'seconds')"
	}
	if c.table == "core_rule_records" { // the other says which filings were judged before a rebuild
		return `t.key <> '["judged"]'`
	}
	return "true"
}
