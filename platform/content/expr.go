package content

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
)

// read is the SQL for the field as text or null; captured and public convert it to JSON.
func (f boundField) read() string {
	switch f.Kind {
	case content.Number, content.Boolean:
		return fmt.Sprintf("to_jsonb(%s)::text", f.sql)
	case content.DateTime:
		return fmt.Sprintf(`to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`, timeOf(f.sql, f.column))
	case content.File:
		return fileOf(f.sql)
	case content.RichText:
		return fmt.Sprintf("left(%s::text, %d)", f.sql, maxRichText)
	case content.JSON: // cut, it would be no JSON any more
		return fmt.Sprintf("CASE WHEN length(%s::text) <= %d THEN %s::text END", f.sql, maxText, f.sql)
	default:
		return fmt.Sprintf("left(%s::text, %d)", f.sql, maxText)
	}
}

// timeOf converts a column to timestamptz. A time without a zone counts as UTC; infinity and years
// outside RFC 3339 become null. Comparisons use the column's own type, since a date may be out of
// range for a timestamp.
func timeOf(sql string, c column) string {
	value, zone := sql, "Z"
	if !c.is("timestamptz") {
		value, zone = fmt.Sprintf("(%s::timestamp AT TIME ZONE 'UTC')", sql), ""
	}
	return fmt.Sprintf("(CASE WHEN %[1]s >= '0001-01-02%[3]s'::%[4]s AND %[1]s < '9999-12-31%[3]s'::%[4]s THEN %[2]s END)", sql, value, zone, c.typ)
}

// fileOf selects only the five keys of a file, or of each file of a list. A list without a file is
// null.
func fileOf(sql string) string {
	return fmt.Sprintf(`CASE jsonb_typeof(%s) WHEN 'object' THEN %s::text
		WHEN 'array' THEN (SELECT jsonb_agg(%s ORDER BY f.n)::text FROM jsonb_array_elements(%s) WITH ORDINALITY f (file, n)
			WHERE jsonb_typeof(f.file) = 'object' AND f.n <= %d) END`, sql, fileKeys(sql), fileKeys("f.file"), sql, maxFiles)
}

func fileKeys(sql string) string {
	keys := domain.Map([]string{"id", "name", "mimeType", "size", "url"}, func(key string) string {
		return fmt.Sprintf("'%s', left(%s->>'%s', %d)", key, sql, key, maxFileKey)
	})
	return "jsonb_build_object(" + strings.Join(keys, ", ") + ")"
}

// time selects a base column as timestamptz, or null if the type has none.
func (b *bound) time(name string) string {
	if name == "" {
		return "NULL::timestamptz"
	}
	return timeOf("b."+quote(name), b.tables.base[name])
}

func (b *bound) version() string {
	if b.Revision.Version == "" {
		return "NULL::text"
	}
	return fmt.Sprintf("left(b.%s::text, 255)", quote(b.Revision.Version))
}

// authors is the SQL for the record's authors with their names, at most maxAuthors, as JSON text. A
// deleted account has an id but no name.
func (b *bound) authors() string {
	if b.AuthorColumn == "" {
		return "'[]'"
	}
	c := b.tables.base[b.AuthorColumn]
	ids := "b." + quote(b.AuthorColumn)
	if !c.array {
		ids = "ARRAY[" + ids + "]"
	}
	account := "a.id"
	if c.typ != "uuid" {
		account = `CASE WHEN a.id ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' THEN a.id::text::uuid END`
	}
	return fmt.Sprintf(`coalesce((SELECT jsonb_agg(jsonb_build_object('id', left(a.id::text, 255), 'name', coalesce(u.name, '')) ORDER BY a.n)
		FROM unnest(%s) WITH ORDINALITY a (id, n) LEFT JOIN core_users u ON u.id = %s
		WHERE a.id::text <> '' AND a.n <= %d), '[]')::text`, ids, account, maxAuthors)
}
