package content

import (
	"fmt"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/registry"
)

// fit is a declared column and the type that it must have.
type fit struct {
	path, column string
	holds        func(column) bool
	what         string // completes "the column … must …"
}

var (
	anything  = func(column) bool { return true }
	scalar    = func(c column) bool { return !c.array && !c.is("json", "jsonb") }
	moment    = column.isTime
	clearable = func(c column) bool { return c.isTime() && c.nullable }
	hider     = func(c column) bool { return c.holdsAccount() && c.nullable }
	accountID = func(c column) bool { return c.typ == "uuid" || c.typ == "text" || c.typ == "varchar" }
)

// keyFits checks whether a column can store ids of a kind.
var keyFits = map[content.KeyKind]func(column) bool{
	content.KeyBigint: func(c column) bool { return c.is("int2", "int4", "int8") },
	content.KeyUUID:   func(c column) bool { return c.is("uuid") },
	content.KeyText:   func(c column) bool { return c.is("text", "varchar", "bpchar", "citext", "name") },
}

// keyFit is the fit of a key column. If its kind is unknown, which is reported elsewhere, the
// column must still exist.
func keyFit(t *content.Type, path, column string) fit {
	holds := keyFits[t.Key.Kind]
	if holds == nil {
		holds = anything
	}
	return fit{path, column, holds, fmt.Sprintf("hold a key of kind %s", t.Key.Kind)}
}

// fieldFits checks whether a column can store a field of a kind.
var fieldFits = map[content.FieldKind]struct {
	holds func(column) bool
	what  string
}{
	content.Text:     {column.isText, "hold text"},
	content.Textarea: {column.isText, "hold text"},
	content.Slug:     {column.isText, "hold text"},
	content.Enum:     {column.isText, "hold text or an enum"},
	content.RichText: {func(c column) bool { return c.isText() || c.is("json", "jsonb") }, "hold HTML as text, or a document as json or jsonb"},
	content.Number:   {column.isNumber, "hold a number"},
	content.Boolean:  {func(c column) bool { return c.is("bool") }, "hold a boolean"},
	content.DateTime: {column.isTime, "hold a timestamp or a date"},
	content.File:     {func(c column) bool { return c.is("jsonb") }, "hold jsonb"},
	content.JSON:     {func(c column) bool { return c.is("json", "jsonb") }, "hold json or jsonb"},
	content.User:     {anything, ""},
	content.Relation: {anything, ""},
}

// checkFit reports each column that does not exist or has the wrong type.
func checkFit(t *content.Type, in *tables, fault content.FaultFunc) {
	base := []fit{
		{"authors.column", t.AuthorColumn, accountID, "hold ids of accounts: uuid or text, or an array of them"},
		{"revision.version", t.Revision.Version, scalar, "hold one value"},
		{"revision.updatedAt", t.Revision.UpdatedAt, moment, "hold a timestamp or a date"},
		{"revision.publishedAt", t.Revision.PublishedAt, moment, "hold a timestamp or a date"},
	}
	base = append(base, keyFit(t, "key.column", t.Key.Column))
	if t.Published != nil {
		base = append(base, fit{"published.column", t.Published.Column, scalar, "hold one value"})
	}
	if t.Hidden != nil {
		base = append(base,
			fit{"hidden.at", t.Hidden.At, clearable, "hold a timestamp that may be null, which is how shown content is told"},
			fit{"hidden.by", t.Hidden.By, hider, "hold the id of an account (uuid, or text of 36 characters) that may be null"})
	}
	if t.Scope != nil {
		base = append(base, fit{"moderationScope.column", t.Scope.Column, scalar, "hold one value"})
	}
	base = append(base, checkThread(t)...)
	if l := t.Locale; l != nil {
		text := fit{"locale.column", l.Column, column.isText, "hold text"}
		switch {
		case l.Table == "":
			base = append(base, text)
		case in.translations != nil:
			text.check(in.translations, l.Table, fault)
			keyFit(t, "locale.key", l.Key).check(in.translations, l.Table, fault)
		}
	}
	for _, f := range base {
		f.check(in.base, t.Table, fault)
	}
	if t.Hidden != nil {
		checkChangeable(in.base, t.Table, "hidden.at", t.Hidden.At, "hiding", fault)
		checkChangeable(in.base, t.Table, "hidden.by", t.Hidden.By, "hiding", fault)
	}
	for _, f := range t.Fields {
		in.checkField(t, f, fault)
	}
}

func (in *tables) checkField(t *content.Type, f content.Field, fault content.FaultFunc) {
	fits, known := fieldFits[f.Kind]
	if !known { // reported elsewhere; the column must exist all the same
		fits.holds = anything
	}
	must := fit{"fields." + f.Name + ".column", f.ColumnName(), fits.holds, fits.what}
	switch {
	case in.translated(t, f.ColumnName()):
		must.check(in.translations, t.Locale.Table, fault)
	case t.Locale == nil || t.Locale.Table == "" || in.translations != nil: // else its table is reported already
		must.check(in.base, t.Table, fault)
	}
}

// translated reports whether a field's column is in the table of translations, which takes
// precedence over the type's table.
func (in *tables) translated(t *content.Type, name string) bool {
	if in.translations == nil || name == t.Locale.Key {
		return false
	}
	_, ok := in.translations[name]
	return ok
}

func (f fit) check(in columns, table string, fault content.FaultFunc) {
	if !sane(f.column) && len(f.column) <= content.MaxIdentifier {
		return // missing; the declaration's own check reports that
	}
	c, ok := in[f.column]
	if !ok {
		fault(f.path, "the table %q has no column %q%s", table, f.column, registry.DidYouMean(f.column, in.names()))
		return
	}
	if !f.holds(c) {
		fault(f.path, "the column %q is of type %s; it must %s", f.column, c, f.what)
	}
	if !c.mayRead && in.mayRead() { // otherwise the whole table is reported
		fault(f.path, "the service's database role may not read the column %q; it needs SELECT", f.column)
	}
}

// checkChangeable reports a column that cannot be updated; by names what updates it.
func checkChangeable(in columns, table, path, name, by string, fault content.FaultFunc) {
	c, ok := in[name]
	switch {
	case !ok:
	case !c.changeable:
		fault(path, "%s changes the column %q of %q, which cannot be changed: the column is generated or the view is read-only", by, name, table)
	case !c.mayChange:
		fault(path, "the service's database role may not change the column %q, as %s does; it needs UPDATE", name, by)
	}
}

func (c column) String() string {
	s := c.typ
	if c.length > 0 {
		s += fmt.Sprintf("(%d)", c.length)
	}
	if c.array {
		s += "[]"
	}
	if !c.nullable {
		s += " not null"
	}
	return s
}
