package projections

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// field is a column of a row, with its value computed from a T.
type field[T any] struct {
	name  string
	kind  string // the type of the column
	value func(*T) any
	all   func([]T) any // the values of several rows, as an array for unnest
}

func column[T, V any](name, kind string, value func(*T) V) field[T] {
	return field[T]{name, kind, func(of *T) any { return value(of) }, func(all []T) any {
		out := make([]V, len(all))
		for i := range all {
			out[i] = value(&all[i])
		}
		return out
	}}
}

// queueOwned replaces the rows of a table that belong to reports. of returns the rows of a report by id.
func queueOwned[T any](b *pgx.Batch, table string, row []field[T], reportIDs []string, reports []projected, of func(projected) map[string]T) {
	var ids []string
	var all []T
	for _, w := range reports {
		some := of(w)
		for _, id := range slices.Sorted(maps.Keys(some)) {
			ids, all = append(ids, id), append(all, some[id])
		}
	}
	b.Queue(`DELETE FROM `+table+` WHERE report_id = ANY ($1::uuid[]) AND id <> ALL (coalesce($2::uuid[], '{}'))`, reportIDs, ids)
	if len(all) > 0 {
		queueRows(b, table, row, all)
	}
}

// queueRows inserts or replaces rows. Table and columns must be constants.
func queueRows[T any](b *pgx.Batch, table string, row []field[T], of []T) {
	var names, excluded []string
	for _, f := range row[1:] {
		names, excluded = append(names, f.name), append(excluded, "EXCLUDED."+f.name)
	}
	b.Queue(insertRows(table, row)+fmt.Sprintf(` ON CONFLICT (id) DO UPDATE SET (%s) = (%s)`, strings.Join(names, ", "), strings.Join(excluded, ", ")),
		valuesOf(row, of)...)
}

// insertRows returns the statement that inserts rows n, with the arguments of valuesOf. beside are further columns of n
// that are not in the table, each as its name and its type.
func insertRows[T any](table string, row []field[T], beside ...string) string {
	var names, values, arrays []string
	for i, f := range row {
		value, sent := "n."+f.name, f.kind
		if sent == "json" || sent == "tsvector" { // sent as text, since pgx has no arrays of them
			value, sent = value+"::"+f.kind, "text"
		}
		names, values, arrays = append(names, f.name), append(values, value), append(arrays, fmt.Sprintf("$%d::%s[]", i+1, sent))
	}
	columns := strings.Join(names, ", ")
	for i, other := range beside {
		name, kind, _ := strings.Cut(other, " ")
		names, arrays = append(names, name), append(arrays, fmt.Sprintf("$%d::%s[]", len(row)+i+1, kind))
	}
	return fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS n (%s)`, table, columns, strings.Join(values, ", "),
		strings.Join(arrays, ", "), strings.Join(names, ", "))
}

func valuesOf[T any](row []field[T], of []T) []any {
	return domain.Map(row, func(f field[T]) any { return f.all(of) })
}

// jsonColumn encodes a pointer or a list for a JSON column: null for nil and for an empty list.
func jsonColumn(v any) *string {
	encoded, _ := json.Marshal(v) // encoding cannot fail
	if s := string(encoded); s != "null" && s != "[]" {
		return &s
	}
	return nil
}

// document returns JSON as text, or nil if there is none.
func document(raw []byte) *string {
	if len(raw) == 0 {
		return nil
	}
	return new(string(raw))
}

// vector returns lexemes in the input form of the tsvector type.
func vector(lexemes []string) string {
	return strings.Join(domain.Map(lexemes, quoteLexeme), " ")
}
