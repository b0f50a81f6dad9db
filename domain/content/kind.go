package content

import (
	"slices"

	"github.com/docketmod/docket/domain/snapshot"
)

// FieldKind is what a field holds.
type FieldKind string

// The kinds of contract section 11. The last three a content type may have and
// a snapshot may not.
const (
	Text     FieldKind = "text"
	Textarea FieldKind = "textarea"
	RichText FieldKind = "richText"
	Slug     FieldKind = "slug"
	Number   FieldKind = "number"
	Boolean  FieldKind = "boolean"
	Enum     FieldKind = "enum"
	DateTime FieldKind = "dateTime"
	File     FieldKind = "file"
	User     FieldKind = "user"
	Relation FieldKind = "relation"
	JSON     FieldKind = "json"
)

// FieldKinds returns every kind, in the order the contract names them.
func FieldKinds() []FieldKind {
	return []FieldKind{Text, Textarea, RichText, Slug, Number, Boolean, Enum, DateTime, File, User, Relation, JSON}
}

// Valid tells whether the kind is one of the contract's.
func (k FieldKind) Valid() bool { return slices.Contains(FieldKinds(), k) }

// SnapshotKind is how the viewer shows a field of this kind; false for a kind
// that cannot be snapshotted (spec 2.1).
func (k FieldKind) SnapshotKind() (snapshot.Kind, bool) {
	switch k {
	case Text, Textarea, Slug:
		return snapshot.KindText, true
	case RichText:
		return snapshot.KindRichText, true
	case File:
		return snapshot.KindFile, true
	case Number, Boolean, Enum, DateTime:
		return snapshot.KindValue, true
	default:
		return "", false
	}
}

// canTitle tells whether a field of this kind may be a report's title.
func (k FieldKind) canTitle() bool { return k == Text || k == Textarea || k == Slug }

// snapshotByDefault tells whether a public field of this kind is captured unless
// the declaration says otherwise.
func (k FieldKind) snapshotByDefault() bool {
	switch k {
	case Text, Textarea, RichText, Enum, File:
		return true
	default:
		return false
	}
}
