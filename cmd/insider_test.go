package cmd

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestWhatAnInsiderWithSQLCanEdit edits every column of every table by SQL, one at a time,
// with triggers on and with triggers off. Each edit must be refused by the database, named by
// projections verify, audit verify or doctor, corrected by the job that reconciles scopes or by
// a rebuild, or listed in SECURITY.md. By default it only changes a value of each column that is
// not listed, with triggers off. With DOCKET_SWEEP=full it also fills and empties columns, and
// requires that nothing else is listed.
func TestWhatAnInsiderWithSQLCanEdit(t *testing.T) {
	t.Parallel()
	full := os.Getenv("DOCKET_SWEEP") == "full"
	only := regexp.MustCompile(*sweepOnly)
	environment, database := contentOfEveryKind(t)
	page := readSecurityPage(t)
	var mu sync.Mutex
	edited, unseen := map[string]bool{}, map[string]bool{}
	t.Run("edits", func(t *testing.T) {
		const lanes = 2
		for lane := range lanes {
			t.Run(fmt.Sprint(lane), func(t *testing.T) {
				t.Parallel()
				s := newSweep(t, with(environment, "DATABASE_URL", pgtest.Clone(t, database)))
				for n, c := range s.columns() {
					if n%lanes != lane {
						continue
					}
					name := c.onPage()
					listed := page.reasons[name] != ""
					was, seen := true, !listed
					if only.MatchString(name) && (full || !listed) {
						was, seen = s.seen(c, full)
					}
					mu.Lock()
					edited[name], unseen[name] = edited[name] || was, unseen[name] || !seen
					mu.Unlock()
				}
				s.requireAsItWas()
				t.Logf("%d edits: %v", s.edits, s.outcomes)
			})
		}
	})
	maps.DeleteFunc(unseen, func(_ string, is bool) bool { return !is })
	maps.DeleteFunc(edited, func(_ string, is bool) bool { return is })
	require.Empty(t, edited, "columns without a value to edit")
	page.compare(t, unseen, full)
}

// sweep edits one database, and sets it right after each edit.
type sweep struct {
	t           *testing.T
	environment map[string]string
	pool        *pgxpool.Pool
	verifying   *pgxpool.Pool // what verifications that are called here use
	tables      map[string]*sweptTable
	targets     *registry.Targets
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

func newSweep(t *testing.T, environment map[string]string) *sweep {
	t.Helper()
	s := &sweep{t: t, environment: environment, tables: map[string]*sweptTable{}, outcomes: map[string]int{}}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 1})
	s.pool = pool
	verifying := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 4})
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
	pgtest.Exec(s.t, s.pool, statement, args...)
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

// seen reports whether the column could be edited, and whether no edit passes unseen. Unless
// full, it makes one edit, with triggers off.
func (s *sweep) seen(c column, full bool) (edited, seen bool) {
	s.t.Helper()
	seen = true
	for _, change := range c.changes() {
		if !full {
			became := s.try(c, change, false)
			s.t.Logf("%s.%s: %s", c.table, c.name, became)
			if became != no {
				return true, became != outside
			}
			continue
		}
		on := s.try(c, change, true)
		off := on
		if on == refused || s.tables[c.table].triggers && !s.alone { // else the triggers did nothing
			off = s.try(c, change, false)
		}
		s.t.Logf("%s.%s to %.40s: %s; triggers off: %s", c.table, c.name, change.to[0], on, off)
		edited = edited || off != no
		seen = seen && on != outside && off != outside
	}
	return edited, seen
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
	outcome = no
	for _, row := range rows {
		for _, to := range change.to {
			touched, err := s.commit(c, row, to, triggers)
			if err == nil {
				s.alone = len(touched) == 1
				return s.judge(c, touched)
			}
			if refusal, is := errors.AsType[*pgconn.PgError](err); is && !strings.HasPrefix(refusal.Code, "22") { // else it is not such a value
				const syntax, identity = "42", "428C9"
				require.False(s.t, strings.HasPrefix(refusal.Code, syntax) && refusal.Code != identity, "%s.%s to %s: %v", c.table, c.name, to, err)
				outcome = refused
			}
		}
	}
	return outcome
}

// commit edits a row, and returns the tables that have changed by it. It returns pgx.ErrNoRows if
// the value is the one that was there, and the database's error if it refuses the edit.
func (s *sweep) commit(c column, row, to string, triggers bool) (touched []string, err error) {
	ctx := s.t.Context()
	tx, err := s.pool.Begin(ctx)
	require.NoError(s.t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	if !triggers {
		pgtest.Exec(s.t, tx, `SET LOCAL session_replication_role = replica`)
	}
	err = tx.QueryRow(ctx, fmt.Sprintf(`WITH o AS (SELECT %[2]s AS v FROM %[1]s WHERE ctid = $1::tid), n AS (UPDATE %[1]s t SET %[2]s = %[3]s WHERE ctid = $1::tid RETURNING %[2]s AS v)
		SELECT array(SELECT relname::text FROM pg_stat_xact_user_tables WHERE schemaname = 'public' AND n_tup_ins + n_tup_upd + n_tup_del > 0) FROM o, n WHERE o.v::text IS DISTINCT FROM n.v::text`,
		c.table, c.name, to), row).Scan(&touched)
	if err == nil {
		err = tx.Commit(ctx)
	}
	return touched, err
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
	}
	// By the rebuild, or by the job that reconciles, which stores its own position anew.
	values := fmt.Sprintf(`(SELECT array_agg(%s::text ORDER BY %[1]s::text) FROM %%s.%s)`, c.name, c.table)
	if one[bool](s.t, s.pool, `SELECT `+fmt.Sprintf(values, "public")+` IS NOT DISTINCT FROM `+fmt.Sprintf(values, "kept")) {
		return healed
	}
	return outside
}
