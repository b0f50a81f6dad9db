package content

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// validResource is scope.ValidResourceID in SQL. A row with another id is not a resource, since it
// cannot be granted.
const validResource = `'^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$'`

// Family returns a scope family of a table's rows.
func (s *Store) Family(ctx context.Context, f *content.Family, fault content.FaultFunc) (scope.Definition, error) {
	d := scope.Definition{ID: f.ID, Label: f.Label, Description: f.Description}
	found, err := s.columnsOf(ctx, f.Table, "table", fault)
	if err != nil || found == nil {
		return d, err
	}
	fit{"idColumn", f.IDColumn, scalar, "hold one value"}.check(found, f.Table, fault)
	fit{"labelColumn", f.LabelColumn, scalar, "hold one value"}.check(found, f.Table, fault)
	for i, c := range f.ContextColumns {
		fit{fmt.Sprintf("contextColumns[%d]", i), c, scalar, "hold one value"}.check(found, f.Table, fault)
	}
	t := familyTable{from: quoteTable(f.Table), id: text(f.IDColumn), label: text(f.LabelColumn)}
	t.context = "array_remove(ARRAY[" + strings.Join(domain.Map(f.ContextColumns, text), ", ") + "]::text[], NULL)"
	d.List, d.Find = s.listFamily(t), s.findFamily(t)
	return d, nil
}

type familyTable struct{ from, id, label, context string }

func text(column string) string { return quote(column) + `::text` }

// listFamily returns the List of a family, ordered by label and then id, both in byte order.
func (s *Store) listFamily(t familyTable) func(context.Context, scope.Query) ([]scope.Item, string, error) {
	label := "coalesce(" + t.label + ", " + t.id + ") COLLATE \"C\""
	sql := fmt.Sprintf(`SELECT %[2]s, coalesce(%[3]s, %[2]s), %[4]s FROM %[1]s
		WHERE %[2]s ~ %[5]s
			AND ($1 = '' OR %[3]s ILIKE $2 OR %[2]s = $1)
			AND (NOT $3::boolean OR (%[6]s, %[2]s COLLATE "C") > ($4::text, $5::text))
		ORDER BY %[6]s, %[2]s COLLATE "C" LIMIT $6`,
		t.from, t.id, t.label, t.context, validResource, label)

	return func(ctx context.Context, q scope.Query) ([]scope.Item, string, error) {
		if !domain.Storable(q.Search) {
			return nil, "", nil // no label can contain this
		}
		after, err := parseFamilyCursor(q.Cursor)
		if err != nil {
			return nil, "", err
		}
		limit := min(max(q.Limit, 1), scope.MaxLimit)
		items, err := postgres.Collect(ctx, s.pool, "list the resources of a scope", pgx.RowToStructByPos[scope.Item], sql,
			q.Search, "%"+likeEscaper.Replace(q.Search)+"%", q.Cursor != "", after[0], after[1], limit+1)
		if err != nil || len(items) <= limit {
			return items, "", err
		}
		items = items[:limit]
		last := items[limit-1]
		return items, base64.RawURLEncoding.EncodeToString(encode([2]string{last.Label, last.ID})), nil
	}
}

func (s *Store) findFamily(t familyTable) func(context.Context, []string) ([]scope.Item, error) {
	sql := fmt.Sprintf(`SELECT %[2]s, coalesce(%[3]s, %[2]s), %[4]s FROM %[1]s WHERE %[2]s = ANY($1::text[]) AND %[2]s ~ %[5]s`,
		t.from, t.id, t.label, t.context, validResource)
	return func(ctx context.Context, ids []string) ([]scope.Item, error) {
		return postgres.Collect(ctx, s.pool, "find the resources of a scope", pgx.RowToStructByPos[scope.Item], sql, ids)
	}
}

// likeEscaper escapes the wildcards of LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// parseFamilyCursor returns the label and id of the last row of the previous page.
func parseFamilyCursor(cursor string) (at [2]string, err error) {
	if cursor == "" {
		return at, nil
	}
	var parts []string
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || json.Unmarshal(raw, &parts) != nil || len(parts) != 2 || !domain.Storable(parts[0]) || !scope.ValidResourceID(parts[1]) {
		return at, paging.InvalidCursor()
	}
	return [2]string{parts[0], parts[1]}, nil
}
