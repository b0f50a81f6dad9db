package cmd

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
)

// TestWhatAnInsiderWithSQLCanEdit edits every column of every table by SQL, one at a time,
// with triggers on and with triggers off. Each edit must be refused by the database, named by
// projections verify, audit verify or doctor, corrected by the job that reconciles scopes or by
// a rebuild, or listed in SECURITY.md. With DOCKET_SWEEP=some it only changes a value of each
// column, with triggers off, and requires that what passes unseen is listed; the full sweep also
// fills and empties columns, and requires that nothing else is listed.
func TestWhatAnInsiderWithSQLCanEdit(t *testing.T) {
	t.Parallel()
	sweep := os.Getenv("DOCKET_SWEEP")
	if sweep == "" {
		t.Skip("set DOCKET_SWEEP to some or full: it takes minutes")
	}
	environment, pool := contentOfEveryKind(t)
	s := newSweep(t, environment, pool)
	unseen := map[string]bool{}
	full := sweep == "full"
	for _, c := range s.columns() {
		name := pageName(c.table) + "." + strings.Trim(c.name, `"`)
		if regexp.MustCompile(*sweepOnly).MatchString(name) && !s.seen(c, full) {
			unseen[name] = true
		}
	}
	s.requireAsItWas()
	t.Logf("%d edits: %v", s.edits, s.outcomes)
	require.Positive(t, s.edits)
	compareWithSecurityPage(t, unseen, full)
}

// sweep edits one database, and sets it right after each edit.
type sweep struct {
	t           *testing.T
	environment map[string]string
	pool        *pgxpool.Pool
	verifying   *pgxpool.Pool // what verifications that are called here use
	tables      map[string]*sweptTable
	targets     *target.Registry
	checks      []*check
	rebuild     *check
	edits       int
	outcomes    map[string]int
	alone       bool // the last edit changed no other table
}

// sweptTable has a copy of its rows as they should be in the schema kept.
type sweptTable struct {
	columns  string // all but generated ones
	triggers bool   // it has some beside those of foreign keys
}

// column is a column, and its kind of values.
type column struct {
	table, name, kind string
	nullable          bool
	checks            string
}

func newSweep(t *testing.T, environment map[string]string, pool *pgxpool.Pool) *sweep {
	t.Helper()
	s := &sweep{t: t, environment: environment, pool: pool, tables: map[string]*sweptTable{}, outcomes: map[string]int{}}
	verifying, err := postgres.Open(t.Context(), environment["DATABASE_URL"], postgres.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(verifying.Close)
	s.verifying = verifying
	s.sql(`CREATE SCHEMA kept`)
	rows, err := pool.Query(t.Context(), `SELECT c.relname, string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attgenerated = ''),
			EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)
		FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY c.oid, c.relname`)
	require.NoError(t, err)
	var name string
	var table sweptTable
	_, err = pgx.ForEachRow(rows, []any{&name, &table.columns, &table.triggers}, func() error {
		copied := table
		s.tables[name] = &copied
		return nil
	})
	require.NoError(t, err)
	filled := map[string]bool{}
	for name := range s.tables {
		s.sql(fmt.Sprintf(`CREATE TABLE kept.%s AS SELECT * FROM public.%[1]s`, name))
		filled[pageName(name)] = filled[pageName(name)] || one[bool](t, pool, `SELECT EXISTS (SELECT FROM `+name+`)`)
	}
	maps.DeleteFunc(filled, func(name string, is bool) bool { return is || !swept(name) })
	require.Empty(t, filled, "tables without a row to edit")
	s.addChecks()
	return s
}

// former are tables that are kept for servers of an earlier release alone. SECURITY.md says so.
var former = []string{"core_staff_history", "core_staff_seals"}

// swept reports whether a table is Docket's.
func swept(table string) bool {
	return (strings.HasPrefix(table, "core_") || strings.HasPrefix(table, "watermill_")) && !slices.Contains(former, table)
}

var build = regexp.MustCompile(`^(core_projected_[a-z]+)_[0-9]+$`)

// pageName is the name of a table without the number of its build.
func pageName(table string) string { return build.ReplaceAllString(table, "$1") }

func (s *sweep) sql(statement string, args ...any) {
	s.t.Helper()
	_, err := s.pool.Exec(s.t.Context(), statement, args...)
	require.NoError(s.t, err, statement)
}

// restore gives tables the rows back that they had, and drops what a rebuild has made.
func (s *sweep) restore(tables []string) {
	s.t.Helper()
	var all strings.Builder
	for _, name := range one[[]string](s.t, s.pool, `SELECT coalesce(array_agg(relname), '{}') FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`) {
		if s.tables[name] == nil {
			s.sql(`DROP TABLE ` + name)
		}
	}
	all.WriteString("BEGIN; SET LOCAL session_replication_role = replica;")
	for _, name := range tables {
		if s.tables[name] == nil {
			continue
		}
		fmt.Fprintf(&all, `DELETE FROM %s; INSERT INTO %[1]s (%s) OVERRIDING SYSTEM VALUE SELECT %[2]s FROM kept.%[1]s;`, name, s.tables[name].columns)
	}
	all.WriteString("COMMIT")
	s.sql(all.String())
}

func (s *sweep) requireAsItWas() {
	for name := range s.tables {
		require.Zero(s.t, one[int](s.t, s.pool, fmt.Sprintf(`SELECT count(*) FROM (
			(SELECT t::text FROM public.%[1]s t EXCEPT ALL SELECT t::text FROM kept.%[1]s t) UNION ALL
			(SELECT t::text FROM kept.%[1]s t EXCEPT ALL SELECT t::text FROM public.%[1]s t)) d`, name)), "%s is not as it was", name)
	}
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
	retired := one[[]string](s.t, s.pool, `SELECT coalesce(array_agg('core_projected_' || name || '_' || build), '{}') FROM core_projections WHERE state = 'retired'`)
	return slices.DeleteFunc(all, func(c column) bool { return !swept(c.table) || slices.Contains(retired, c.table) })
}

// edit is a change of a value: the first of the expressions that the database takes.
type edit struct {
	where string // which rows have such a value
	to    []string
}

var literal = regexp.MustCompile(`'[A-Za-z_]+'`)

// changes are the kinds of edits that a column's values allow.
func (c column) changes() (all []edit) {
	other := fmt.Sprintf(`(SELECT o.%s FROM %s o WHERE o.%[1]s::text <> t.%[1]s::text LIMIT 1)`, c.name, c.table)
	written := map[string][]string{
		"text": {"t.%s || 'x'"}, "character varying": {"left(t.%s, 35) || 'x'"}, "boolean": {"NOT t.%s"},
		"uuid":                        {"(SELECT id FROM core_users u WHERE u.id <> t.%s LIMIT 1)", "gen_random_uuid()"},
		"integer":                     {"t.%s + 1", "t.%s + 1000"},
		"bigint":                      {"t.%s + 1", "t.%s + 1000"},
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
	}[c.kind]
	to := append([]string{other}, literal.FindAllString(c.checks, -1)...)
	for _, expression := range written {
		to = append(to, strings.ReplaceAll(strings.ReplaceAll(expression, "%s", c.name), "%[1]s", c.name))
	}
	all = append(all, edit{"t." + c.name + " IS NOT NULL", to})
	if c.nullable {
		empty := map[string]string{"text": "'x'", "uuid": "gen_random_uuid()", "integer": "1", "bigint": "1", "boolean": "true", "timestamp with time zone": "now()",
			"bytea": `'\x01'`, "json": "'[]'", "jsonb": "'{}'", "inet": "'192.0.2.1'", "xid8": "'1'"}[c.kind]
		all = append(all, edit{"t." + c.name + " IS NOT NULL", []string{"NULL"}},
			edit{"t." + c.name + " IS NULL", append([]string{fmt.Sprintf(`(SELECT o.%s FROM %s o WHERE o.%[1]s IS NOT NULL LIMIT 1)`, c.name, c.table), empty}, literal.FindAllString(c.checks, -1)...)})
	}
	return all
}

// seen reports whether no edit of the column passes unseen. Unless full, it only tries to
// change a value with triggers off.
func (s *sweep) seen(c column, full bool) bool {
	s.t.Helper()
	if !full {
		became := s.try(c, c.changes()[0], false)
		s.t.Logf("%s.%s: %s", c.table, c.name, became)
		return became != outside
	}
	all := true
	for _, change := range c.changes() {
		on := s.try(c, change, true)
		off := on
		if on == refused || s.tables[c.table].triggers && !s.alone { // else the triggers did nothing
			off = s.try(c, change, false)
		}
		s.t.Logf("%s.%s to %.40s: %s; triggers off: %s", c.table, c.name, change.to[0], on, off)
		all = all && on != outside && off != outside
	}
	return all
}

// counting selects the rows that anybody reads.
func (c column) counting() string {
	if c.table == "core_projections" {
		return "t.state = 'live' AND t.name NOT IN ('cases', 'counts')"
	}
	return "true"
}

// What becomes of an edit, beside the names of verifications.
const (
	refused = "refused"
	healed  = "healed"
	outside = "outside"
	no      = "no row has such a value"
)

// try makes the edit, and returns what becomes of it.
func (s *sweep) try(c column, change edit, triggers bool) (outcome string) {
	s.t.Helper()
	defer func() { s.outcomes[outcome]++; s.edits++ }()
	rows := one[[]string](s.t, s.pool, fmt.Sprintf(`SELECT coalesce(array_agg(row), '{}') FROM (SELECT ctid::text AS row FROM %s t WHERE %s AND %s ORDER BY ctid LIMIT 4) r`, c.table, change.where, c.counting()))
	if len(rows) == 0 {
		return no
	}
	for _, row := range rows {
		for _, to := range change.to {
			if touched := s.commit(c, row, to, triggers); touched != nil {
				s.alone = len(touched) == 1
				return s.judge(c, touched)
			}
		}
	}
	return refused
}

// commit edits a row, and returns the tables that have changed by it; none if the database
// refuses the edit.
func (s *sweep) commit(c column, row, to string, triggers bool) (touched []string) {
	ctx := s.t.Context()
	tx, err := s.pool.Begin(ctx)
	require.NoError(s.t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	if !triggers {
		_, err = tx.Exec(ctx, `SET LOCAL session_replication_role = replica`)
		require.NoError(s.t, err)
	}
	err = tx.QueryRow(ctx, fmt.Sprintf(`WITH o AS (SELECT %[2]s AS v FROM %[1]s WHERE ctid = $1::tid), n AS (UPDATE %[1]s t SET %[2]s = %[3]s WHERE ctid = $1::tid RETURNING %[2]s AS v)
		SELECT array(SELECT relname::text FROM pg_stat_xact_user_tables WHERE schemaname = 'public' AND n_tup_ins + n_tup_upd + n_tup_del > 0) FROM o, n WHERE o.v::text IS DISTINCT FROM n.v::text`,
		c.table, c.name, to), row).Scan(&touched)
	if err != nil || tx.Commit(ctx) != nil {
		return nil
	}
	return touched
}

// judge returns what notices that the tables have changed, and sets them right.
func (s *sweep) judge(c column, touched []string) string {
	dirty := map[string]bool{}
	defer func() { s.restore(slices.Collect(maps.Keys(dirty))) }()
	for _, name := range touched {
		dirty[name] = true
	}
	if c.table == "core_projections" { // it says which tables a check uses
		for name := range s.tables {
			dirty[name] = true
		}
	}
	uses := func(c *check) bool {
		return slices.ContainsFunc(touched, func(name string) bool { return c.uses[name] })
	}
	for i, check := range s.checks {
		if !uses(check) {
			continue
		}
		maps.Copy(dirty, check.uses)
		if check.run() != "" {
			s.checks[0], s.checks[i] = check, s.checks[0] // it will see the next one too
			return check.name
		}
	}
	if uses(s.rebuild) {
		maps.Copy(dirty, s.rebuild.uses)
		s.rebuild.run()
		values := fmt.Sprintf(`(SELECT array_agg(%s::text ORDER BY %[1]s::text) FROM %%s.%s)`, c.name, c.table)
		if one[bool](s.t, s.pool, `SELECT `+fmt.Sprintf(values, "public")+` IS NOT DISTINCT FROM `+fmt.Sprintf(values, "kept")) {
			return healed
		}
	}
	return outside
}
