package content

import "slices"

// ReportFields are the fields of a type's snapshots. Title is the zero Field
// when there is none.
type ReportFields struct {
	Title    Field
	Snapshot []Field
}

// ReportFields works out the title and the captured fields by the rules and
// defaults of spec 2.1. It is meant for a type without faults; fields that do
// not exist are left out.
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

// titleField is the named one, else the admin title field when it is public.
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

// PublicFields are the fields of the public API, in its order.
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

// URL is the template of the public address; the zero template, which fills to
// "", without a public API.
func (t *Type) URL() URLTemplate {
	if t.PublicAPI == nil {
		return URLTemplate{}
	}
	parsed, _ := ParseURL(t.PublicAPI.URL, t.inURL)
	return parsed
}

// inURL tells whether a name may stand in the address: what is in it is public.
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
