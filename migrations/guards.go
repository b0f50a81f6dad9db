package migrations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/eventstore/postgres"
)

var (
	triggerMade    = regexp.MustCompile(`CREATE (?:OR REPLACE )?TRIGGER (\w+) (BEFORE|AFTER) ([\w ,]+?) ON (\w+)\s+FOR EACH (ROW|STATEMENT)\s+(WHEN [^;]+)?EXECUTE FUNCTION (\w+)\(\)`)
	triggerDropped = regexp.MustCompile(`DROP TRIGGER (?:IF EXISTS )?(\w+) ON (\w+)`)
	functionMade   = regexp.MustCompile(`(?s)(CREATE (?:OR REPLACE )?|DROP )FUNCTION (\w+)\((?:([^;]*?) AS \$\$(.*?)\$\$)?`)
)

// beginner is a pool or a transaction.
type beginner interface {
	postgres.Querier
	Begin(ctx context.Context) (pgx.Tx, error)
}

// ErrLater means that the schema is from a later release, which may have other triggers.
var ErrLater = errors.New("a later release has migrated the database")

// ErrUncompared means that the conditions of triggers were not compared, since the role may not create temporary
// tables. Everything else was compared.
var ErrUncompared = errors.New("the conditions of triggers were not compared")

// Guards returns what keeps the triggers and functions of Docket's tables from working as the migrations created them:
// missing, disabled, changed and foreign triggers, changed functions, rules, policies that hide rows, views instead of
// tables, and settings that change the lookup of names. It returns ErrLater for the schema of a later release, and
// ErrUncompared together with problems.
func Guards(ctx context.Context, db beginner) (problems []string, err error) {
	made, err := readMade()
	if err != nil {
		return nil, err
	}
	// The names are qualified, since a table of another schema could shadow PostgreSQL's own.
	path, err := postgres.CollectOne(ctx, db, "read the search path", pgx.RowTo[[]string], `SELECT pg_catalog.current_schemas(true)::pg_catalog.text[]`)
	if err != nil {
		return nil, err
	}
	if first := slices.IndexFunc(path, func(schema string) bool { return !strings.HasPrefix(schema, "pg_temp") }); first < 0 || path[first] != "pg_catalog" {
		return []string{"search_path: another schema comes before pg_catalog, so names of PostgreSQL's own mean something else"}, nil
	}
	applied, err := postgres.CollectOne(ctx, db, "read the newest migration", pgx.RowTo[int64], `SELECT coalesce(max(version_id), 0) FROM `+Docket.table)
	if err != nil {
		return nil, err
	}
	if applied > made.newest {
		return nil, fmt.Errorf("%w: migration %d", ErrLater, applied)
	}
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	uncompared := made.compareTriggers(ctx, db, add)
	if uncompared != nil && !errors.Is(uncompared, ErrUncompared) {
		return nil, uncompared
	}
	if err := made.compareFunctions(ctx, db, add); err != nil {
		return nil, err
	}
	var problem string
	err = postgres.ForEach(ctx, db, "read rules", []any{&problem}, func() error { add("%s", problem); return nil },
		// The view pg_rules leaves out a rule that was renamed to _RETURN.
		`SELECT 'table ' || c.relname || ': the rule ' || r.rulename || ' changes what is written' FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^(core|watermill)_' AND c.relkind NOT IN ('v', 'm')
		UNION ALL SELECT 'table ' || relname || ': row security may hide its rows' FROM pg_class
			WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^(core|watermill)_' AND relrowsecurity
		UNION ALL SELECT 'table ' || relname || ': it is no table, and may show each reader something else' FROM pg_class
			WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^(core|watermill)_' AND relkind IN ('v', 'm', 'f', 'p')
		UNION ALL SELECT 'table ' || oid::regclass || ': it is in another schema than Docket''s other tables' FROM pg_class
			WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY (current_schemas(false)) AND nspname <> current_schema()) AND pg_table_is_visible(oid)
				AND relname ~ '^(core|watermill)_' AND relkind IN ('r', 'v', 'm', 'f', 'p')
		UNION ALL SELECT 'table ' || c.relname || ': the rows of ' || i.inhrelid::regclass || ' are among its own' FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
			WHERE c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^(core|watermill)_' AND c.relkind = 'r'
		UNION ALL SELECT DISTINCT 'table ' || c.relname || ': its foreign keys are not checked' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
			WHERE t.tgisinternal AND t.tgenabled NOT IN ('O', 'A') AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^(core|watermill)_'
		UNION ALL SELECT 'function ' || p.oid::regprocedure || ': it takes the place of one of PostgreSQL''s own' FROM pg_proc p
			WHERE p.pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY (current_schemas(false))) AND EXISTS (SELECT FROM pg_proc o WHERE o.pronamespace = 'pg_catalog'::regnamespace AND o.proname = p.proname)
				AND NOT (`+extends("pg_proc", "p.oid", "p.oid", "p.proargtypes")+`)
		UNION ALL SELECT 'operator ' || p.oid::regoperator || ': it takes the place of one of PostgreSQL''s own' FROM pg_operator p
			WHERE p.oprnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY (current_schemas(false))) AND EXISTS (SELECT FROM pg_operator o WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprname = p.oprname)
				AND NOT (`+extends("pg_operator", "p.oid", "p.oprcode", "ARRAY[p.oprleft, p.oprright]")+`)
		UNION ALL SELECT 'session_replication_role is ' || setting || ' for this role: no trigger works' FROM pg_settings
			WHERE name = 'session_replication_role' AND setting <> 'origin'
		UNION ALL SELECT 'role ' || coalesce(r.rolname, 'all') || ': ' || wrong.problem FROM pg_db_role_setting s
			CROSS JOIN (VALUES ('session_replication_role=(?!origin)', 'session_replication_role is set: no trigger works'),
				('search_path=(?!"?pg_catalog).*pg_catalog', 'search_path is set so that names of PostgreSQL''s own mean something else')) wrong (setting, problem)
			LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase
			WHERE coalesce(d.datname, current_database()) = current_database() AND array_to_string(s.setconfig, E'\n') ~ ('(?n)' || wrong.setting)
		ORDER BY 1`)
	return problems, cmp.Or(err, uncompared)
}

// extends is the condition that an extension brought an object, not somebody who then added it to the extension: its
// function is written in C, or one of its arguments is of the extension's own type.
func extends(catalog, object, function, arguments string) string {
	return `EXISTS (SELECT FROM pg_depend d WHERE d.classid = '` + catalog + `'::regclass AND d.objid = ` + object + ` AND d.deptype = 'e' AND (
		EXISTS (SELECT FROM pg_proc f JOIN pg_language l ON l.oid = f.prolang WHERE f.oid = ` + function + ` AND l.lanname = 'c')
		OR EXISTS (SELECT FROM pg_depend t WHERE t.classid = 'pg_type'::regclass AND t.objid = ANY (` + arguments + `) AND t.deptype = 'e' AND t.refobjid = d.refobjid)))`
}

// made is what the migrations create.
type made struct {
	triggers   map[string]string // by table and name, as triggerText returns them
	conditions map[string]string // of those that have one, starting at WHEN
	bodies     map[string]string // of functions, by name
	headers    map[string]string // of functions, as headerText returns them
	newest     int64             // migration
}

// triggerText returns a trigger's definition without its condition, in the same form for a match of triggerMade in a
// migration or in the catalog.
func triggerText(match []string) (name, text string) {
	events := strings.Split(match[3], " OR ")
	slices.Sort(events)
	condition := ""
	if match[6] != "" {
		condition = " WHEN …"
	}
	return match[4] + "." + match[1], fmt.Sprintf("%s %s FOR EACH %s%s EXECUTE %s", match[2], strings.Join(events, " OR "), match[5], condition, match[7])
}

// written returns the conditions as this PostgreSQL prints them, which differs between its releases: it creates each as
// a trigger of a temporary table with the same columns.
func (m *made) written(ctx context.Context, db beginner) (conditions map[string]string, err error) {
	tx, err := db.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("compare conditions: %w", err)
	}
	defer func() { err = errors.Join(err, tx.Rollback(ctx)) }()
	var sql strings.Builder
	for i, trigger := range slices.Sorted(maps.Keys(m.conditions)) {
		table, _, _ := strings.Cut(trigger, ".")
		fmt.Fprintf(&sql, `CREATE TEMPORARY TABLE docket_%[1]d (LIKE %[2]s);
			CREATE TRIGGER %[3]q AFTER UPDATE ON pg_temp.docket_%[1]d FOR EACH ROW %[4]s EXECUTE FUNCTION suppress_redundant_updates_trigger();`,
			i, table, trigger, m.conditions[trigger])
	}
	if err := postgres.Exec(ctx, tx, "compare conditions", sql.String()); err != nil {
		return nil, err
	}
	conditions = map[string]string{}
	var trigger, definition string
	return conditions, postgres.ForEach(ctx, tx, "compare conditions", []any{&trigger, &definition}, func() error {
		conditions[trigger] = condition(definition)
		return nil
	}, `SELECT tgname, pg_get_triggerdef(oid, true) FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = pg_my_temp_schema())`)
}

// condition extracts the condition from a trigger's definition in the catalog.
func condition(definition string) string {
	_, condition, _ := strings.Cut(definition, " FOR EACH ROW ")
	if i := strings.LastIndex(condition, "EXECUTE FUNCTION "); i >= 0 {
		return condition[:i]
	}
	return definition
}

// compareTriggers compares the triggers of Docket's tables. If it returns ErrUncompared, everything else was compared.
func (m *made) compareTriggers(ctx context.Context, db beginner, add func(format string, args ...any)) error {
	var uncompared error
	conditions, err := m.written(ctx, db)
	switch refused, is := errors.AsType[*pgconn.PgError](err); {
	case is && (refused.Code == "25006" || refused.Code == "42501"): // read-only, or no privilege
		uncompared = fmt.Errorf("%w: %s", ErrUncompared, refused.Message)
	case is && !postgres.Lost(err):
		add("triggers: their conditions cannot be compared: %s", refused.Message)
	case err != nil:
		return err
	}
	missing := maps.Clone(m.triggers)
	var trigger, enabled, definition, function, body string
	var set bool
	err = postgres.ForEach(ctx, db, "read triggers", []any{&trigger, &enabled, &definition, &function, &body, &set}, func() error {
		expected, known := m.triggers[trigger]
		is := ""
		if match := triggerMade.FindStringSubmatch(definition); match != nil {
			_, is = triggerText(match)
		}
		switch of, ours := m.bodies[function]; {
		case !known:
			add("trigger %s: Docket did not make it", trigger)
		case enabled != "O" && enabled != "A":
			add("trigger %s: it is disabled", trigger)
		case is != expected, conditions[trigger] != "" && condition(definition) != conditions[trigger]:
			add("trigger %s: it is not as the migrations made it", trigger)
		case !ours || set || strings.TrimSpace(body) != strings.TrimSpace(of):
			add("trigger %s: its function %s is not as the migrations made it", trigger, function)
		}
		delete(missing, trigger)
		return nil
	}, `SELECT c.relname || '.' || t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid, true), p.proname, p.prosrc, p.proconfig IS NOT NULL OR p.prosecdef
		FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^(core|watermill)_' ORDER BY 1`)
	for _, trigger := range slices.Sorted(maps.Keys(missing)) {
		add("trigger %s: it is missing", trigger)
	}
	return cmp.Or(err, uncompared)
}

// compareFunctions compares Docket's functions, whether triggers or statements call them.
func (m *made) compareFunctions(ctx context.Context, db postgres.Querier, add func(format string, args ...any)) error {
	missing := maps.Clone(m.bodies)
	var name, body, header string
	err := postgres.ForEach(ctx, db, "read functions", []any{&name, &body, &header}, func() error {
		switch expected, left := missing[name]; {
		case !left && m.bodies[name] != "":
			add("function %s: there are several of that name, and Docket made one", name)
		case !left:
			add("function %s: Docket did not make it", name)
		case strings.TrimSpace(body) != strings.TrimSpace(expected), header != m.headers[name]:
			add("function %s: it is not as the migrations made it", name)
		}
		delete(missing, name)
		return nil
	}, `SELECT proname, prosrc, pg_get_function_arguments(p.oid) || ') RETURNS ' || pg_get_function_result(p.oid) || ' LANGUAGE ' || lanname
			|| CASE provolatile WHEN 's' THEN ' STABLE' WHEN 'i' THEN ' IMMUTABLE' ELSE '' END || CASE WHEN proisstrict THEN ' STRICT' ELSE '' END
			|| CASE WHEN prosecdef THEN ' SECURITY DEFINER' ELSE '' END
			|| CASE WHEN proconfig <> ARRAY[format('search_path=%I, pg_temp', current_schema())] THEN ' SET ' || proconfig::text ELSE '' END
		FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE pronamespace = current_schema()::regnamespace AND proname ~ '^core_' ORDER BY 1`)
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		add("function %s: it is missing", name)
	}
	return err
}

// headerText returns what stands in a migration between a function's name and its body, as compareFunctions reads it
// from the catalog. A search path that names Docket's schema alone, which migrations set later, stands in neither.
func headerText(written string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(written), " "), " timestamptz", " timestamp with time zone")
}

func readMade() (*made, error) {
	m := &made{triggers: map[string]string{}, conditions: map[string]string{}, bodies: map[string]string{}, headers: map[string]string{}}
	files, err := fs.Glob(FS, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		sql, err := fs.ReadFile(FS, file)
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Sscanf(file, "%d", &m.newest); err != nil {
			return nil, fmt.Errorf("version of %s: %w", file, err)
		}
		up, _, _ := strings.Cut(string(sql), "-- +goose Down")
		for _, f := range functionMade.FindAllStringSubmatch(up, -1) {
			if m.bodies[f[2]], m.headers[f[2]] = f[4], headerText(f[3]); f[1] == "DROP " {
				delete(m.bodies, f[2])
			}
		}
		for _, t := range triggerDropped.FindAllStringSubmatch(up, -1) {
			delete(m.triggers, t[2]+"."+t[1])
			delete(m.conditions, t[2]+"."+t[1])
		}
		for _, t := range triggerMade.FindAllStringSubmatch(up, -1) {
			name, text := triggerText(t)
			m.triggers[name] = text
			if t[6] != "" {
				m.conditions[name] = t[6]
			}
		}
	}
	return m, nil
}
