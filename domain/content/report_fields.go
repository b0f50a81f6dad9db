package content

import "slices"

// ReportFields are the fields of a type's snapshots. Title is the zero Field if there is
// none.
type ReportFields struct {
	Title    Field
	Snapshot []Field
}

// ReportFields returns the title field and the captured fields. The title is by default the
// admin title field if that is public. Captured by default are the public fields of the
// kinds text, textarea, richText, enum and file without the title field. Fields that do not
// exist, which Check reports, are left out.
func (t *Type) ReportFields() ReportFields {
	var out ReportFields
	if t.Reports == nil || t.PublicAPI == nil {
		return out
	}
	if name := t.titleField(); name != "" {
		out.Title, _ = t.Field(name)
	}
	if t.Reports.SnapshotFields != nil {
		for _, name := range t.Reports.SnapshotFields {
			if f, ok := t.Field(name); ok {
				out.Snapshot = append(out.Snapshot, f)
			}
		}
		return out
	}
	for _, name := range t.PublicAPI.Fields {
		if f, ok := t.Field(name); ok && f.Kind.snapshotByDefault() && f.Name != out.Title.Name {
			out.Snapshot = append(out.Snapshot, f)
		}
	}
	return out
}

// NotKept returns the fields of the type that reports do not store as evidence.
func (kept ReportFields) NotKept(t *Type) []Field {
	if t.Reports == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), func(f Field) bool { return f.Name == kept.Title.Name || slices.Contains(kept.Snapshot, f) })
}

// titleField returns the declared title field, or else the admin title field if it is public.
func (t *Type) titleField() string {
	if t.Reports.TitleField != "" {
		return t.Reports.TitleField
	}
	f, ok := t.Field(t.AdminTitle)
	if !ok || !f.Kind.canTitle() || !slices.Contains(t.PublicAPI.Fields, t.AdminTitle) {
		return ""
	}
	return f.Name
}

// PublicFields returns the fields of the public API, in its order.
func (t *Type) PublicFields() []Field {
	var out []Field
	if t.PublicAPI == nil {
		return nil
	}
	for _, name := range t.PublicAPI.Fields {
		if f, ok := t.Field(name); ok {
			out = append(out, f)
		}
	}
	return out
}

// URL returns the template of the public address. Without a public API it is the zero
// template, which fills to "".
func (t *Type) URL() URLTemplate {
	if t.PublicAPI == nil {
		return URLTemplate{}
	}
	parsed, _ := ParseURL(t.PublicAPI.URL, t.inURL)
	return parsed
}

// inURL reports whether the public address may contain the placeholder. Only public fields
// may appear in it.
func (t *Type) inURL(name string) bool {
	if name == "id" || name == "locale" {
		return true
	}
	f, ok := t.Field(name)
	if !ok || !slices.Contains(t.PublicAPI.Fields, name) {
		return false
	}
	return f.Kind.canTitle() || f.Kind == Number || f.Kind == Enum
}
