package content

import (
	"slices"

	"github.com/docketmod/docket/domain/snapshot"
)

// FieldKind is the type of a field's values.
type FieldKind string

// The kinds of fields. The last three may be part of a content type but not of a snapshot.
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

// FieldKinds returns every kind.
func FieldKinds() []FieldKind {
	return []FieldKind{Text, Textarea, RichText, Slug, Number, Boolean, Enum, DateTime, File, User, Relation, JSON}
}

// Valid reports whether the kind is known.
func (k FieldKind) Valid() bool { return slices.Contains(FieldKinds(), k) }

// SnapshotKind returns the kind of a captured field, or false for a kind that cannot be
// captured.
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

// canTitle reports whether a field of this kind may be a report's title.
func (k FieldKind) canTitle() bool { return k == Text || k == Textarea || k == Slug }

// snapshotByDefault reports whether public fields of this kind are captured if the
// declaration names no fields.
func (k FieldKind) snapshotByDefault() bool {
	switch k {
	case Text, Textarea, RichText, Enum, File:
		return true
	default:
		return false
	}
}
