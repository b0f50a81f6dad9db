package content

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/content"
)

// column describes a column. A domain counts as its base type.
type column struct {
	typ      string // pg_type.typname; for an array, of its elements
	array    bool
	enum     bool
	nullable bool
	length   int // in characters; 0 means no limit

	changeable bool // by UPDATE: neither generated nor in a read-only view
	mayRead    bool // by the service's database role
	mayChange  bool
}

type columns map[string]column

// mayRead reports whether the service's database role may read any of the columns.
func (c columns) mayRead() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(c)), func(one column) bool { return one.mayRead })
}

func (c columns) names() []string { return slices.Sorted(maps.Keys(c)) }

// readColumns returns nil if no table or view has that name.
func readColumns(ctx context.Context, pool *pgxpool.Pool, table string) (columns, error) {
	rows, err := pool.Query(ctx, `
		WITH RECURSIVE col AS (
			SELECT a.attrelid, a.attnum, a.attname, a.atttypid AS type, a.atttypmod AS typmod, NOT a.attnotnull AS nullable,
				a.attgenerated = '' AND pg_relation_is_updatable(c.oid, true) & 4 = 4 -- 1 << CMD_UPDATE
				AND (c.relkind <> 'v' OR pg_column_is_updatable(c.oid, a.attnum, true)
					OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid AND ev_type = '2' AND is_instead)
					OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgtype & 80 = 80)) AS changeable -- INSTEAD OF UPDATE
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			WHERE a.attrelid = to_regclass($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
				AND a.attnum > 0 AND NOT a.attisdropped
			UNION ALL
			SELECT col.attrelid, col.attnum, col.attname, t.typbasetype, greatest(col.typmod, t.typtypmod), col.nullable AND NOT t.typnotnull, col.changeable
			FROM col JOIN pg_type t ON t.oid = col.type WHERE t.typtype = 'd'
		)
		SELECT col.attname::text, coalesce(e.typname, t.typname)::text, e.oid IS NOT NULL, t.typtype = 'e', col.nullable,
			CASE WHEN t.typname IN ('varchar', 'bpchar') THEN greatest(col.typmod - 4, 0) ELSE 0 END, col.changeable,
			has_column_privilege(col.attrelid, col.attnum, 'SELECT'), has_column_privilege(col.attrelid, col.attnum, 'UPDATE')
		FROM col JOIN pg_type t ON t.oid = col.type
		LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
		WHERE t.typtype <> 'd'`, quoteTable(table))
	if err != nil {
		return nil, err
	}
	var found columns
	var name string
	var c column
	into := []any{&name, &c.typ, &c.array, &c.enum, &c.nullable, &c.length, &c.changeable, &c.mayRead, &c.mayChange}
	_, err = pgx.ForEachRow(rows, into, func() error {
		if found == nil {
			found = columns{}
		}
		found[name] = c
		return nil
	})
	return found, err
}

func (c column) is(types ...string) bool { return !c.array && slices.Contains(types, c.typ) }

func (c column) isText() bool { return c.is("text", "varchar", "bpchar", "citext", "name") || c.enum }

func (c column) isTime() bool { return c.is("timestamptz", "timestamp", "date") }

func (c column) isNumber() bool {
	return c.is("int2", "int4", "int8", "numeric", "float4", "float8")
}

// holdsAccount reports whether an account id fits into the column.
func (c column) holdsAccount() bool {
	return c.is("uuid", "text", "varchar") && (c.length == 0 || c.length >= len(uuid.Nil.String()))
}

// quoteTable quotes "table" or "schema.table".
func quoteTable(table string) string {
	return pgx.Identifier(strings.SplitN(table, ".", 2)).Sanitize()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// sane reports whether a name is short enough for the database. PostgreSQL would truncate a longer
// one and find something else.
func sane(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if len(part) > content.MaxIdentifier {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "\x00")
}
