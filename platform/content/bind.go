package content

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
)

// bound is a content type with its columns as found in the database. In its SQL, b is the type's
// table and x the chosen translation.
type bound struct {
	*content.Type
	tables *tables
	from   string // table of the type, quoted, as b

	title    *boundField // nil if there is none
	snapshot []boundField
	public   []boundField
	url      content.URLTemplate
	urlFrom  []boundField // fields that the URL contains
}

// boundField is a field with its column.
type boundField struct {
	content.Field
	column column
	sql    string // the quoted column with its alias
}

func bind(t *content.Type, in *tables) *bound {
	b := &bound{Type: t, tables: in, from: quoteTable(t.Table) + " b", url: t.URL()}
	reported := t.ReportFields()
	if reported.Title.Name != "" {
		b.title = new(b.field(reported.Title))
	}
	b.snapshot = domain.Map(reported.Snapshot, b.field)
	b.public = domain.Map(t.PublicFields(), b.field)
	for _, name := range b.url.Names() {
		if f, ok := t.Field(name); ok && name != "id" && name != "locale" {
			b.urlFrom = append(b.urlFrom, b.field(f))
		}
	}
	return b
}

func (b *bound) field(f content.Field) boundField {
	if name := f.ColumnName(); b.tables.translated(b.Type, name) {
		return boundField{f, b.tables.translations[name], "x." + quote(name)}
	}
	return boundField{f, b.tables.base[f.ColumnName()], "b." + quote(f.ColumnName())}
}

func (b *bound) key() string { return "b." + quote(b.Key.Column) }

// keyType returns the SQL type of an id.
func (b *bound) keyType() string { return string(b.Key.Kind) }

// hasID is the SQL condition for ids that Parse of the key's kind accepts. Lists show no other
// rows, since these cannot be opened or reported.
func (b *bound) hasID() string {
	switch b.Key.Kind {
	case content.KeyBigint:
		return b.key() + " > 0"
	case content.KeyText:
		return fmt.Sprintf("length(%s::text) BETWEEN 1 AND %d", b.key(), content.MaxTextID)
	default:
		return b.key() + " IS NOT NULL"
	}
}

func (b *bound) hasTranslations() bool { return b.Locale != nil && b.Locale.Table != "" }

// localeColumn returns the column with the locale of a row or its translation.
func (b *bound) localeColumn() string {
	switch {
	case b.Locale == nil:
		return ""
	case b.hasTranslations():
		return "x." + quote(b.Locale.Column) + "::text"
	default:
		return "b." + quote(b.Locale.Column) + "::text"
	}
}

// source returns FROM with the translation in the requested locale, or in the default locale if the
// type falls back. Records without either are left out, unless anyLocale accepts every locale and
// none.
func (b *bound) source(a *args, anyLocale bool) string {
	if !b.hasTranslations() {
		return b.from
	}
	locale := "t." + quote(b.Locale.Column) + "::text"
	join, condition := "LEFT JOIN", "true"
	if !anyLocale {
		join, condition = "JOIN", b.inLocale(a, locale)
	}
	return fmt.Sprintf("%s %s LATERAL (SELECT t.* FROM %s t WHERE t.%s = %s AND %s ORDER BY %s LIMIT 1) x ON true",
		b.from, join, quoteTable(b.Locale.Table), quote(b.Locale.Key), b.key(), condition, b.preference(a, locale))
}

// inLocale returns the SQL condition for text that a reader of a locale may read.
func (b *bound) inLocale(a *args, locale string) string {
	if b.Locale.Fallback == content.FallbackNone {
		return is(locale, a.locale())
	}
	return is(locale, a.locale()+" || "+a.add(spellings(b.Locale.Default), "text[]"))
}

// preference orders the requested locale first, then the default one.
func (b *bound) preference(a *args, locale string) string {
	return fmt.Sprintf("(%s) DESC NULLS LAST, %s", is(locale, a.locale()), b.defaultFirst(a, locale))
}

func (b *bound) defaultFirst(a *args, locale string) string {
	return fmt.Sprintf("(%s) DESC NULLS LAST, %s", is(locale, a.add(spellings(b.Locale.Default), "text[]")), locale)
}

// is returns the SQL condition that a locale is one of the spellings of another.
func is(locale, spellings string) string { return locale + " = ANY (" + spellings + ")" }

// rowPreference is preference among rows that share a key, one per locale. It is "" if
// there is at most one row.
func (b *bound) rowPreference(a *args) string {
	if b.Locale == nil || b.hasTranslations() {
		return ""
	}
	return b.preference(a, b.localeColumn())
}

// readable returns the SQL conditions for a row to be public. It does not check whether the row is hidden. With a
// locale column and a fallback, readers of another locale may read a row in any locale.
func (b *bound) readable(a *args) []string {
	var out []string
	if b.Published != nil {
		out = append(out, fmt.Sprintf("b.%s::text = %s", quote(b.Published.Column), a.add(b.Published.Value, "text")))
	}
	if b.Locale != nil && !b.hasTranslations() && b.Locale.Fallback == content.FallbackNone {
		out = append(out, is(b.localeColumn(), a.locale()))
	}
	return out
}

func (b *bound) hiddenAt() string {
	if b.Hidden == nil {
		return "NULL"
	}
	return "b." + quote(b.Hidden.At)
}

// scopeColumn returns the SQL for a record's resource. If rows that share a key have different
// ones, the default locale's row counts, whichever row is read: a record has one resource, and its
// evidence names the one that grants apply to.
func (b *bound) scopeColumn(a *args) string {
	switch {
	case b.Scope == nil:
		return "NULL::text"
	case b.Locale == nil || b.hasTranslations():
		return "b." + quote(b.Scope.Column) + "::text"
	}
	locale := "s." + quote(b.Locale.Column) + "::text"
	return fmt.Sprintf("(SELECT s.%s::text FROM %s s WHERE s.%s = %s ORDER BY %s LIMIT 1)",
		quote(b.Scope.Column), quoteTable(b.Table), quote(b.Key.Column), b.key(), b.defaultFirst(a, locale))
}

func where(conditions []string) string {
	if len(conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}

func orderBy(columns ...string) string {
	columns = slices.DeleteFunc(columns, func(c string) bool { return c == "" })
	if len(columns) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(columns, ", ")
}
