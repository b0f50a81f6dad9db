// Package content holds content types: what a plugin declares of a table that
// exists, and what follows from it - the fields of a snapshot (spec 2.1), the
// public address, the form of an id. The SQL is in platform/content.
package content

// Type is a content type over one table. Names of tables and columns are as
// the database has them, unquoted; a table may be `schema.table`.
type Type struct {
	ID               string // dotted, the report target's type: `forum.post`
	Label            string // translation key, an ICU plural called with count 1
	PermissionModule string // the moderator module that receives the report permissions
	Table            string
	Key              Key
	Fields           []Field // in the order of their declaration

	AuthorColumn string // ids of accounts, one or an array of them; "" for none
	Revision     Revision
	Published    *Published // nil: every row is published
	Hidden       *Hidden    // nil: the target cannot be hidden
	Locale       *Locale    // nil: the content is not localised
	PublicAPI    *PublicAPI // nil: no public API, hence no reports
	AdminTitle   string     // the admin title field; "" for none
	Scope        *Scope     // nil: the target has no scope
	Reports      *Reports   // nil: no reporting
}

// Key is the column that identifies a record.
type Key struct {
	Column string
	Kind   KeyKind
}

// Field is one field of a content type.
type Field struct {
	Name   string
	Kind   FieldKind
	Column string // "" is the name
}

// ColumnName is the column that holds the field.
func (f Field) ColumnName() string {
	if f.Column != "" {
		return f.Column
	}
	return f.Name
}

// Revision names the columns that tell one state of a record from the next;
// each may be "".
type Revision struct {
	Version     string
	UpdatedAt   string
	PublishedAt string
}

// Published is the column and the value, as text, of a published record.
type Published struct {
	Column string
	Value  string
}

// Hidden names the columns that hide a record: the time, null while it is
// shown, and the account that hid it ("" when the table does not keep it).
type Hidden struct {
	At string
	By string
}

// Fallback says what a reader gets when content is not in the locale asked for.
type Fallback string

// The fallbacks of contract section 11.
const (
	FallbackDefault Fallback = "default" // the default locale's text
	FallbackNone    Fallback = "none"    // nothing: the reader cannot read it
)

// Locale says where the language of a record stands: in a column of its own
// table, or, with Table, in a table of translations.
type Locale struct {
	Column   string
	Default  string
	Fallback Fallback // "" is FallbackDefault
	Table    string   // "" for a column of the type's own table
	Key      string   // with Table: its column that holds the record's key
}

// PublicAPI is what everybody may read of the type.
type PublicAPI struct {
	Path   string   // one segment: /api/{plugin}/{path}
	Fields []string // names
	URL    string   // template of the public address: `/forum/posts/{id}`
}

// Scope is spec 2.1's moderationScope.
type Scope struct {
	Column string // of the base table, holds the resource id
	Family string
}

// Reports switches reporting on. The zero Reports is `reports: true`.
type Reports struct {
	TitleField     string   // "" is the default
	SnapshotFields []string // nil is the default; an empty list is none
}

// Field returns the field of that name, or false.
func (t *Type) Field(name string) (Field, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Family is the scope family of the type, "" for none.
func (t *Type) Family() string {
	if t.Scope == nil {
		return ""
	}
	return t.Scope.Family
}

// Family is a scope family whose resources are the rows of a table (spec 2.4).
type Family struct {
	ID             string
	Label          string // translation key
	Description    string // translation key, may be ""
	Table          string
	IDColumn       string
	LabelColumn    string
	ContextColumns []string
}
