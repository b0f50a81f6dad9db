package migrations

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

var (
	triggerMade    = regexp.MustCompile(`CREATE TRIGGER (\w+) [^;]*? ON (\w+)`)
	triggerDropped = regexp.MustCompile(`DROP TRIGGER (?:IF EXISTS )?(\w+) ON (\w+)`)
	functionMade   = regexp.MustCompile(`(?s)CREATE (?:OR REPLACE )?FUNCTION (\w+)\([^;]*? AS \$\$(.*?)\$\$`)
)

// Guards returns what keeps the triggers of Docket's tables from working as the migrations made
// them: triggers that are missing or disabled, or that Docket did not make, other functions of
// triggers, rules, and policies that hide rows. It returns nothing for a schema of a later
// release, which may have others.
func Guards(ctx context.Context, db postgres.Querier) (problems []string, err error) {
	made, bodies, newest, err := madeTriggers()
	if err != nil {
		return nil, err
	}
	applied, err := postgres.CollectOne(ctx, db, "read the newest migration", pgx.RowTo[int64], `SELECT coalesce(max(version_id), 0) FROM `+Docket.table)
	if err != nil || applied > newest {
		return nil, err
	}
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	var trigger, enabled, function, body string
	err = postgres.ForEach(ctx, db, "read triggers", []any{&trigger, &enabled, &function, &body}, func() error {
		_, known := made[trigger]
		switch expected, ours := bodies[function]; {
		case !known:
			add("trigger %s: Docket did not make it", trigger)
		case enabled != "O" && enabled != "A":
			add("trigger %s: it is disabled", trigger)
		case ours && strings.TrimSpace(body) != strings.TrimSpace(expected), !ours:
			add("trigger %s: its function %s is not as the migrations made it", trigger, function)
		}
		delete(made, trigger)
		return nil
	}, `SELECT c.relname || '.' || t.tgname, t.tgenabled::text, p.proname, p.prosrc
		FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^(core|watermill)_' ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	for _, missing := range slices.Sorted(maps.Keys(made)) {
		add("trigger %s: it is missing", missing)
	}
	var problem string
	err = postgres.ForEach(ctx, db, "read rules", []any{&problem}, func() error { add("%s", problem); return nil },
		`SELECT 'table ' || tablename || ': the rule ' || rulename || ' changes what is written' FROM pg_rules
			WHERE schemaname = current_schema() AND tablename ~ '^(core|watermill)_'
		UNION ALL SELECT 'table ' || relname || ': row security may hide its rows' FROM pg_class
			WHERE relnamespace = current_schema()::regnamespace AND relname ~ '^(core|watermill)_' AND relrowsecurity
		UNION ALL SELECT 'session_replication_role is ' || setting || ' for this role: no trigger works' FROM pg_settings
			WHERE name = 'session_replication_role' AND setting <> 'origin'
		UNION ALL SELECT 'role ' || coalesce(r.rolname, 'all') || ': session_replication_role is set: no trigger works' FROM pg_db_role_setting s
			LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase
			WHERE coalesce(d.datname, current_database()) = current_database() AND array_to_string(s.setconfig, ',') ~ 'session_replication_role=(?!origin)'
		ORDER BY 1`)
	return problems, err
}

// madeTriggers returns the triggers that the migrations leave, as table.name, the last bodies of
// functions by name, and the newest version.
func madeTriggers() (triggers map[string]bool, bodies map[string]string, newest int64, err error) {
	triggers, bodies = map[string]bool{}, map[string]string{}
	files, err := fs.Glob(FS, "*.sql") // sorted
	if err != nil {
		return nil, nil, 0, err
	}
	for _, file := range files {
		sql, err := fs.ReadFile(FS, file)
		if err != nil {
			return nil, nil, 0, err
		}
		if _, err := fmt.Sscanf(file, "%d", &newest); err != nil {
			return nil, nil, 0, fmt.Errorf("version of %s: %w", file, err)
		}
		up, _, _ := strings.Cut(string(sql), "-- +goose Down")
		for _, f := range functionMade.FindAllStringSubmatch(up, -1) {
			bodies[f[1]] = f[2]
		}
		for _, t := range triggerDropped.FindAllStringSubmatch(up, -1) {
			delete(triggers, t[2]+"."+t[1])
		}
		for _, t := range triggerMade.FindAllStringSubmatch(up, -1) {
			triggers[t[2]+"."+t[1]] = true
		}
	}
	return triggers, bodies, newest, nil
}
