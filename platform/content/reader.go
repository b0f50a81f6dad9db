package content

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// reader is the public content API of one type.
type reader struct {
	store  *Store
	b      *bound
	fields []boundField
}

func (s *Store) reader(b *bound) *reader {
	return &reader{s, b, union(b.public, b.urlFrom)}
}

var pagingKinds = map[content.KeyKind]paging.Kind{
	content.KeyBigint: paging.Int, content.KeyUUID: paging.UUID, content.KeyText: paging.Text,
}

// List pages by id, descending, using the index of the key.
func (r *reader) List() paging.List {
	kind := pagingKinds[r.b.Key.Kind]
	key := r.b.key() + "::" + r.b.keyType()
	if kind == paging.Int {
		key = r.b.key()
	}
	return paging.List{
		Orderings: []paging.Ordering{{Name: "id", Expr: key, Kind: kind, Default: paging.Desc}},
		ID:        paging.ID{Expr: key, Kind: kind},
	}
}

func (r *reader) Item(ctx context.Context, id, locale string, access content.HiddenAccess) (*content.Item, error) {
	found, err := r.read(ctx, locale, access, 0, func(a *args) (string, string) {
		return r.b.key() + " = " + a.add(id, r.b.keyType()), orderBy(r.List().ID.Expr, r.b.rowPreference(a)) + " LIMIT 1"
	})
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", r.b.ID, id, err)
	}
	if len(found) == 0 {
		return nil, nil
	}
	return &found[0], nil
}

// Items returns a page. It ends before the record that would make it exceed maxPageBytes.
func (r *reader) Items(ctx context.Context, request paging.Request, locale string, access content.HiddenAccess) (paging.Page[content.Item], error) {
	found, err := r.read(ctx, locale, access, maxPageBytes, func(a *args) (string, string) {
		condition, values := sqlpage.Condition(request, len(*a)+1)
		*a = append(*a, values...)
		return condition, orderBy(sqlpage.OrderClause(request), r.b.rowPreference(a)) + fmt.Sprintf(" LIMIT %d", request.Limit())
	})
	if err != nil {
		return paging.Page[content.Item]{}, fmt.Errorf("list %s: %w", r.b.ID, err)
	}
	if len(found) < request.Limit() && sizeOf(found) > maxPageBytes {
		request = request.Shortened(len(found) - 1)
	}
	return paging.NewPage(found, request, r.position), nil
}

func (r *reader) position(i content.Item) paging.Position {
	v := paging.TextValue(i.ID)
	switch pagingKinds[r.b.Key.Kind] {
	case paging.Int:
		n, _ := strconv.ParseInt(i.ID, 10, 64)
		v = paging.IntValue(n)
	case paging.UUID:
		v = paging.UUIDValue(i.ID)
	}
	return paging.Position{Value: v, ID: v}
}

// sizeOf returns the bytes of the items' public fields.
func sizeOf(items []content.Item) (n int) {
	for _, i := range items {
		for _, f := range i.Fields {
			n += len(f.Value)
		}
	}
	return n
}

// read selects what the caller may read. If maxBytes is not 0, it ends after the record with which the public fields
// exceed maxBytes, or after the second record if that is the first. rest returns a further condition and the clauses
// after the conditions.
func (r *reader) read(ctx context.Context, locale string, access content.HiddenAccess, maxBytes int, rest func(*args) (condition, tail string)) ([]content.Item, error) {
	b := r.b
	locale = b.asked(locale)
	var a args
	source := b.source(&a, false)
	conditions := append([]string{b.hasID()}, b.readable(&a)...)
	conditions = append(conditions, b.visible(&a, access)...)
	condition, tail := rest(&a)
	distinct := ""
	if b.rowPreference(&args{}) != "" {
		distinct = "DISTINCT ON (" + r.List().ID.Expr + ") " // rows that share a key differ in their locale
	}
	sql := "SELECT " + distinct + b.selection(&a, r.fields) + " FROM " + source + where(append(conditions, condition)) + tail
	st := statement{sql, a}
	select {
	case r.store.public <- struct{}{}:
		defer func() { <-r.store.public }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	rows, err := r.store.pool.Query(ctx, st.sql, st.values("", locale)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []content.Item
	for size := 0; (maxBytes == 0 || size <= maxBytes || len(items) == 1) && rows.Next(); {
		found, err := scanRecord(rows, r.fields)
		if err != nil {
			return nil, err
		}
		items = append(items, r.item(found, locale))
		size += sizeOf(items[len(items)-1:])
	}
	rows.Close()
	return items, rows.Err()
}

// visible returns the SQL conditions that leave out hidden records which the caller may not see.
func (b *bound) visible(a *args, access content.HiddenAccess) []string {
	switch {
	case b.Hidden == nil || access.All:
		return nil
	case b.Scope == nil || len(access.Resources) == 0:
		return []string{b.hiddenAt() + " IS NULL"}
	}
	resources := a.add(slices.Clone(access.Resources), "text[]")
	return []string{fmt.Sprintf("(%s IS NULL OR %s = ANY(%s))", b.hiddenAt(), b.scopeColumn(a), resources)}
}

func (r *reader) item(found *record, asked string) content.Item {
	item := content.Item{
		ID: found.id, URL: r.b.address(found, asked), Locale: r.b.served(found, ""), Hidden: found.hidden,
		Authors: found.authors, UpdatedAt: found.updatedAt, PublishedAt: found.publishedAt,
		Fields: make([]content.Value, 0, len(r.b.public)),
	}
	if at := r.b.resource(found); at != nil {
		item.Scope = scope.Resource{Family: at.Family, ID: at.ID}
	}
	for i, f := range found.fields[:len(r.b.public)] {
		item.Fields = append(item.Fields, content.Value{Name: f.Name, Value: f.public(found.values[i])})
	}
	return item
}
