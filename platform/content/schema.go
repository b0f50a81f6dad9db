package content

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/content"
)

// column is what a column holds. A domain counts as what it is made of.
type column struct {
	typ      string // pg_type.typname; of an array, of its elements
	array    bool
	enum     bool
	nullable bool
}

type columns map[string]column

func (c columns) names() []string { return slices.Sorted(maps.Keys(c)) }

// readColumns is nil when the table does not exist, or is no table or view.
func readColumns(ctx context.Context, pool *pgxpool.Pool, table string) (columns, error) {
	rows, err := pool.Query(ctx, `
		WITH RECURSIVE col AS (
			SELECT a.attname, a.atttypid AS type, NOT a.attnotnull AS nullable
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			WHERE a.attrelid = to_regclass($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
				AND a.attnum > 0 AND NOT a.attisdropped
			UNION ALL
			SELECT col.attname, t.typbasetype, col.nullable AND NOT t.typnotnull
			FROM col JOIN pg_type t ON t.oid = col.type WHERE t.typtype = 'd'
		)
		SELECT col.attname::text, coalesce(e.typname, t.typname)::text, e.oid IS NOT NULL, t.typtype = 'e', col.nullable
		FROM col JOIN pg_type t ON t.oid = col.type
		LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
		WHERE t.typtype <> 'd'`, quoteTable(table))
	if err != nil {
		return nil, err
	}
	var found columns
	var name string
	var c column
	_, err = pgx.ForEachRow(rows, []any{&name, &c.typ, &c.array, &c.enum, &c.nullable}, func() error {
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

// quoteTable quotes `table` or `schema.table`.
func quoteTable(table string) string {
	return pgx.Identifier(strings.SplitN(table, ".", 2)).Sanitize()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// sane tells whether a name can be that of something in the database at all;
// PostgreSQL would cut a longer one and find something else.
func sane(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if len(part) > content.MaxIdentifier {
			return false
		}
	}
	return name != "" && !strings.Contains(name, "\x00")
}
