// Package content holds content types: declarations about an existing table that make its
// rows reportable without code.
//
// A [Type] in the ContentTypes of a plugin is what a manifest calls a content type:
//
//	content.Type{
//		ID: "blog.article", Label: "blog.article", PermissionModule: "articles",
//		Table: "blog_articles", Key: content.Key{Column: "id", Kind: content.KeyBigint},
//		Fields: []content.Field{{Name: "title", Kind: content.Text}, {Name: "body", Kind: content.RichText}},
//		AuthorColumn: "author_id",
//		Published:    &content.Published{Column: "status", Value: "published"},
//		Hidden:       &content.Hidden{At: "hidden_at", By: "hidden_by"},
//		PublicAPI:    &content.PublicAPI{Path: "articles", Fields: []string{"title", "body"}, URL: "/blog/{id}"},
//		Reports:      &content.Reports{},
//	}
//
// From it follow the report target with its snapshot and the actions hide and unhide, the
// permissions of its module, and a public API that leaves out what is hidden or not published.
// A [Family] is a scope family over a table, whose rows moderators can be limited to; a Type
// refers to it by [Scope].
//
// The columns must exist and have the right types when the server starts, which checks both.
// Content that one table does not hold is a target.Definition instead, which can check its ids with
// [KeyKind.Parse].
package content

// Type is a content type over one table. Names of tables and columns are as
// the database has them, unquoted; a table may be `schema.table`.
type Type struct {
	ID               string // dotted, the report target's type: `forum.post`
	Label            string // translation key, an ICU plural called with count 1
	PermissionModule string // the moderator module with the report permissions
	ContentType      string // to the EU's transparency database, such as "text"; "" for none
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
	Thread       *Thread    // nil: moderators see no context
	Scope        *Scope     // nil: the target has no scope
	Reports      *Reports   // nil: no reporting
	People       *People    // nil: authors can only be warned
}

// Key is the column that identifies a record.
type Key struct {
	Column string
	Kind   KeyKind
}

// Field is a field of a content type.
type Field struct {
	Name   string
	Kind   FieldKind
	Column string // "" means Name
}

// ColumnName returns the column of the field.
func (f Field) ColumnName() string {
	if f.Column != "" {
		return f.Column
	}
	return f.Name
}

// Revision names the columns that identify a revision of a record. Each may be "".
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

// Hidden names the columns that hide a record: the time, which is null while the record is
// shown, and the account that hid it, "" if the table does not store it.
type Hidden struct {
	At string
	By string
	// SecondKey makes hiding wait until a second person releases it; see target.Action.
	SecondKey bool
}

// Fallback says what readers get if content is missing in the requested locale.
type Fallback string

// The fallbacks.
const (
	FallbackDefault Fallback = "default" // the default locale's text
	FallbackNone    Fallback = "none"    // nothing: the reader cannot read it
)

// Locale names where the locale of a record is stored: in a column of its own table or, with
// Table, in a table of translations.
type Locale struct {
	Column   string
	Default  string
	Fallback Fallback // "" means FallbackDefault
	Table    string   // "" for a column of the type's own table
	Key      string   // with Table: its column with the record's key
}

// PublicAPI is the part of the type that everybody may read.
type PublicAPI struct {
	Path   string   // one segment: /api/{plugin}/{path}
	Fields []string // names
	URL    string   // template of the public address: `/forum/posts/{id}`
}

// Scope names where the scope of a record is stored. Grants are limited by scope.
type Scope struct {
	Column string // of the base table; holds the resource id
	Family string
}

// Reports makes content of the type reportable. The zero Reports uses the defaults.
type Reports struct {
	TitleField     string   // "" means the default
	SnapshotFields []string // nil means the default; an empty list means none
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

// Family returns the scope family of the type, or "" if it has none.
func (t *Type) Family() string {
	if t.Scope == nil {
		return ""
	}
	return t.Scope.Family
}

// Family is a scope family whose resources are the rows of a table.
type Family struct {
	ID             string
	Label          string // translation key
	Description    string // translation key, may be ""
	Table          string
	IDColumn       string
	LabelColumn    string
	ContextColumns []string
}
