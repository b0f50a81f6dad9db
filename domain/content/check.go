package content

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// FaultFunc records one fault of a declaration. The path is relative to the declaration, such
// as `fields.title.kind`, or "" for the whole declaration.
type FaultFunc func(path, format string, args ...any)

// At returns a FaultFunc that prefixes every path.
func (f FaultFunc) At(prefix string) FaultFunc {
	return func(path, format string, args ...any) {
		if path != "" && !strings.HasPrefix(path, "[") {
			path = "." + path
		}
		f(prefix+path, format, args...)
	}
}

// Check reports every fault of the type that can be found without the database. The registration
// checks that its scope family exists.
func (t *Type) Check(fault FaultFunc) {
	if !ValidTypeID(t.ID) {
		fault("id", "%q is not a valid id of a content type, such as forum.post", t.ID)
	}
	table(fault, "table", t.Table)
	column(fault, "key.column", t.Key.Column, true)
	if !t.Key.Kind.Valid() {
		fault("key.kind", "the kind of a key must be bigint, uuid or text, not %q", t.Key.Kind)
	}
	t.checkFields(fault)
	t.checkColumns(fault)
	t.checkLocale(fault.At("locale"))
	t.checkThread(fault.At("thread"))
	if t.AdminTitle != "" {
		if _, ok := t.Field(t.AdminTitle); !ok {
			fault("admin.titleField", "there is no field %q", t.AdminTitle)
		}
	}
	if t.PublicAPI != nil {
		t.checkPublicAPI(fault.At("publicApi"))
	}
	if t.Reports != nil {
		t.checkReports(fault)
	}
}

func (t *Type) checkFields(fault FaultFunc) {
	if len(t.Fields) == 0 {
		fault("fields", "a content type must have at least one field")
	}
	seen := make(map[string]bool)
	for _, f := range t.Fields {
		at := fault.At("fields." + f.Name)
		if !ValidName(f.Name) {
			at("", "%q is not a valid field name", f.Name)
		}
		if seen[f.Name] {
			at("", "the field is declared twice")
		}
		seen[f.Name] = true
		if !f.Kind.Valid() {
			at("kind", "there is no field kind %q; the kinds are %s", f.Kind, domain.Joined(FieldKinds()))
		}
		column(at, "column", f.ColumnName(), true)
	}
}

func (t *Type) checkColumns(fault FaultFunc) {
	column(fault, "authors.column", t.AuthorColumn, false)
	column(fault, "revision.version", t.Revision.Version, false)
	column(fault, "revision.updatedAt", t.Revision.UpdatedAt, false)
	column(fault, "revision.publishedAt", t.Revision.PublishedAt, false)
	if t.Published != nil {
		column(fault, "published.column", t.Published.Column, true)
	}
	if t.Hidden != nil {
		column(fault, "hidden.at", t.Hidden.At, true)
		column(fault, "hidden.by", t.Hidden.By, false)
	}
	if t.People != nil {
		t.People.check(fault.At("people"), t.AuthorColumn)
	}
	if t.Scope != nil {
		column(fault, "moderationScope.column", t.Scope.Column, true)
		if !scope.ValidFamilyID(t.Scope.Family) {
			fault("moderationScope.family", "%q is not a valid id of a scope family: it must be lowercase and dot separated", t.Scope.Family)
		}
	}
}

func (t *Type) checkLocale(fault FaultFunc) {
	l := t.Locale
	if l == nil {
		return
	}
	column(fault, "column", l.Column, true)
	if !domain.ValidLocale(l.Default) {
		fault("default", "%q is not a valid locale, such as en", l.Default)
	}
	if l.Fallback != "" && l.Fallback != FallbackDefault && l.Fallback != FallbackNone {
		fault("fallback", "the fallback must be default or none, not %q", l.Fallback)
	}
	switch {
	case l.Table != "":
		table(fault, "table", l.Table)
		column(fault, "key", l.Key, true)
	case l.Key != "":
		fault("key", "a key needs a table of translations")
	}
}

func (t *Type) checkPublicAPI(fault FaultFunc) {
	api := t.PublicAPI
	if !apiPath.MatchString(api.Path) {
		fault("path", "%q is not a valid path: it must be one segment of lowercase letters, digits, - and _, such as posts", api.Path)
	}
	seen := make(map[string]bool)
	for i, name := range api.Fields {
		at := fault.At(fmt.Sprintf("fields[%d]", i))
		if _, ok := t.Field(name); !ok {
			at("", "there is no field %q", name)
		}
		if seen[name] {
			at("", "the field %q is named twice", name)
		}
		seen[name] = true
	}
	if api.URL == "" {
		fault("url", "a public API needs the address of one content, such as /posts/{id}")
	} else if _, err := ParseURL(api.URL, t.inURL); err != nil {
		fault("url", "%s", err)
	}
}

// checkReports checks the option `reports`, which needs a public API and fields that exist
// and can be captured.
func (t *Type) checkReports(fault FaultFunc) {
	if t.Label == "" {
		fault("label", "a type that can be reported needs a label")
	}
	if !ValidName(t.PermissionModule) {
		fault("permissionModule", "a type that can be reported needs a moderator module; %q is not a valid name", t.PermissionModule)
	}
	fault = fault.At("reports")
	if t.PublicAPI == nil {
		fault("", "reports need a public API, and the content type has none")
	}
	if name := t.Reports.TitleField; name != "" {
		f, ok := t.Field(name)
		switch {
		case !ok:
			fault("titleField", "there is no field %q", name)
		case f.Kind.Valid() && !f.Kind.canTitle():
			fault("titleField", "%q is of kind %s; a title must be a text, textarea or slug field", name, f.Kind)
		}
	}
	seen := make(map[string]bool)
	for i, name := range t.Reports.SnapshotFields {
		at := fault.At(fmt.Sprintf("snapshotFields[%d]", i))
		f, ok := t.Field(name)
		_, can := f.Kind.SnapshotKind()
		switch {
		case !ok:
			at("", "there is no field %q", name)
		case f.Kind.Valid() && !can:
			at("", "%q is of kind %s, which a snapshot cannot hold", name, f.Kind)
		case seen[name]:
			at("", "the field %q is named twice", name)
		}
		seen[name] = true
	}
}

// Check reports every fault of the family that can be found without the database.
func (f *Family) Check(fault FaultFunc) {
	if !scope.ValidFamilyID(f.ID) {
		fault("id", "%q is not a valid id of a scope family: it must be lowercase and dot separated", f.ID)
	}
	if f.Label == "" {
		fault("label", "a scope family needs a label")
	}
	table(fault, "table", f.Table)
	column(fault, "idColumn", f.IDColumn, true)
	column(fault, "labelColumn", f.LabelColumn, true)
	for i, c := range f.ContextColumns {
		column(fault, fmt.Sprintf("contextColumns[%d]", i), c, true)
	}
}

// Permissions returns the moderator permissions that are generated for the type.
func (t *Type) Permissions(pluginID string) []permission.Declared {
	if t.Reports == nil {
		return nil
	}
	return permission.Generated(pluginID, t.PermissionModule, t.Family(), t.Hidden != nil)
}

func table(fault FaultFunc, path, name string) {
	if name == "" {
		fault(path, "a table is needed")
		return
	}
	for part := range strings.SplitSeq(name, ".") {
		if m := identifierFault(part); m != "" {
			fault(path, "the table's name %s", m)
			return
		}
	}
}

func column(fault FaultFunc, path, name string, required bool) {
	if name == "" {
		if required {
			fault(path, "a column is needed")
		}
		return
	}
	if m := identifierFault(name); m != "" {
		fault(path, "the column's name %s", m)
	}
}

// CheckRemote reports every fault of a type whose content lives elsewhere. Such a type has no
// table and no columns.
func (t *Type) CheckRemote(fault FaultFunc) {
	if !ValidTypeID(t.ID) {
		fault("id", "%q is not a valid id of a content type, such as shop.review", t.ID)
	}
	if !t.Key.Kind.Valid() {
		fault("key.kind", "the kind of a key must be bigint, uuid or text, not %q", t.Key.Kind)
	}
	t.checkFields(fault)
	if t.Scope != nil && !scope.ValidFamilyID(t.Scope.Family) {
		fault("moderationScope.family", "%q is not a valid id of a scope family: it must be lowercase and dot separated", t.Scope.Family)
	}
	if t.Reports != nil {
		t.checkReports(fault)
	}
}

// CompleteRemote sets the defaults of a type whose content lives elsewhere: all its fields are
// public, and its title is the first text field.
func (t *Type) CompleteRemote() {
	t.PublicAPI = &PublicAPI{}
	for _, f := range t.Fields {
		t.PublicAPI.Fields = append(t.PublicAPI.Fields, f.Name)
		if f.Kind == Text && t.AdminTitle == "" {
			t.AdminTitle = f.Name
		}
	}
}
