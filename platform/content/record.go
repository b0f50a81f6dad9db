package content

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
)

// selection lists the columns of a record: its fixed parts, then the fields. scanRecord reads them in the same order.
func (b *bound) selection(a *args, fields []boundField) string {
	locale := "NULL::text"
	if c := b.localeColumn(); c != "" {
		locale = c
	}
	columns := []string{
		b.key() + "::text", locale, b.hiddenAt() + " IS NOT NULL", b.scopeColumn(a), b.version(),
		b.time(b.Revision.UpdatedAt), b.time(b.Revision.PublishedAt), b.authors(),
	}
	for _, f := range fields {
		columns = append(columns, f.read())
	}
	return strings.Join(columns, ", ")
}

// one selects a record: if public is set, only a public one in a locale that its readers may read, else one in any
// state and locale.
func (b *bound) one(fields []boundField, public bool) statement {
	var a args
	source := b.source(&a, !public)
	conditions := []string{b.key() + " = " + a.id(b.keyType())}
	if public {
		conditions = append(conditions, b.readable(&a)...)
	}
	if public && b.Hidden != nil {
		conditions = append(conditions, b.hiddenAt()+" IS NULL")
	}
	return statement{"SELECT " + b.selection(&a, fields) + " FROM " + source + where(conditions) + orderBy(b.rowPreference(&a)) + " LIMIT 1", a}
}

// record is a selected row.
type record struct {
	id          string
	locale      *string
	hidden      bool
	scope       *string
	version     *string
	updatedAt   *time.Time
	publishedAt *time.Time
	authors     []snapshot.Author
	fields      []boundField
	values      [][]byte // nil is null
}

func scanRecord(row pgx.Row, fields []boundField) (*record, error) {
	r := &record{fields: fields, values: make([][]byte, len(fields))}
	var authors string
	into := []any{&r.id, &r.locale, &r.hidden, &r.scope, &r.version, &r.updatedAt, &r.publishedAt, &authors}
	for i := range r.values {
		into = append(into, &r.values[i])
	}
	if err := row.Scan(into...); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(authors), &r.authors); err != nil {
		return nil, fmt.Errorf("read authors: %w", err)
	}
	return r, nil
}

// served returns the locale that a record was read in. Content without locales is in the requested one; a row without a
// locale is in the default one.
func (b *bound) served(r *record, asked string) string {
	switch {
	case b.Locale == nil:
		return asked
	case domain.OrEmpty(r.locale) == "":
		return b.Locale.Default
	}
	return *r.locale
}

// text returns a field as it was read, or "" if it is null or was not read. NaN and the infinities, which are strings
// in JSON, have no quotes.
func (r *record) text(name string) string {
	for i, f := range r.fields {
		if f.Name != name {
			continue
		}
		if f.Kind == content.Number {
			return strings.Trim(string(r.values[i]), `"`)
		}
		return string(r.values[i])
	}
	return ""
}

// resource returns the present scope of the record, or nil if the type has none.
func (b *bound) resource(r *record) *scope.Resource {
	if b.Scope == nil {
		return nil
	}
	return &scope.Resource{Family: b.Scope.Family, ID: domain.OrEmpty(r.scope)}
}

// address returns the public URL of the record.
func (b *bound) address(r *record, asked string) string {
	return b.url.Fill(func(name string) string {
		switch name {
		case "id":
			return r.id
		case "locale":
			return b.served(r, asked)
		default:
			return r.text(name)
		}
	})
}

// union returns the fields of several sets without repetition.
func union(sets ...[]boundField) []boundField {
	var out []boundField
	seen := map[string]bool{}
	for _, set := range sets {
		for _, f := range set {
			if !seen[f.Name] {
				seen[f.Name] = true
				out = append(out, f)
			}
		}
	}
	return out
}
