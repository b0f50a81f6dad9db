package registry

import "github.com/docketmod/docket/domain/content"

func (n node) contentType() content.Type {
	o, _ := n.object("id", "label", "permissionModule", "table", "key", "fields", "authors", "revision",
		"published", "hidden", "locale", "publicApi", "admin", "moderationScope", "reports", "thread", "people", "contentType")
	t := content.Type{
		ID: o.text("id"), Label: o.text("label"), PermissionModule: o.text("permissionModule"), Table: o.text("table"),
		ContentType: o.text("contentType"),
	}
	if k, ok := o.object("key", "column", "kind"); ok {
		t.Key = content.Key{Column: k.text("column"), Kind: content.KeyKind(k.text("kind"))}
	}
	for _, f := range o.named("fields") {
		m, _ := f.object("kind", "column")
		t.Fields = append(t.Fields, content.Field{
			Name: f.name, Kind: content.FieldKind(m.text("kind")), Column: m.text("column"),
		})
	}
	if m, ok := o.object("authors", "column"); ok {
		t.AuthorColumn = m.required("column")
	}
	if m, ok := o.object("revision", "version", "updatedAt", "publishedAt"); ok {
		t.Revision = content.Revision{
			Version: m.text("version"), UpdatedAt: m.text("updatedAt"), PublishedAt: m.text("publishedAt"),
		}
	}
	if m, ok := o.object("published", "column", "value"); ok {
		t.Published = &content.Published{Column: m.text("column"), Value: m.scalar("value")}
	}
	if m, ok := o.object("hidden", "at", "by", "secondKey"); ok {
		t.Hidden = &content.Hidden{At: m.text("at"), By: m.text("by"), SecondKey: m.flag("secondKey")}
	}
	if m, ok := o.object("locale", "column", "default", "table", "key", "fallback"); ok {
		t.Locale = &content.Locale{
			Column: m.text("column"), Default: m.text("default"), Fallback: content.Fallback(m.text("fallback")),
			Table: m.text("table"), Key: m.text("key"),
		}
	}
	if m, ok := o.object("publicApi", "path", "fields", "url"); ok {
		t.PublicAPI = &content.PublicAPI{Path: m.text("path"), Fields: m.texts("fields"), URL: m.text("url")}
	}
	if m, ok := o.object("admin", "titleField"); ok {
		t.AdminTitle = m.text("titleField")
	}
	if m, ok := o.object("moderationScope", "column", "family"); ok {
		t.Scope = &content.Scope{Column: m.text("column"), Family: m.text("family")}
	}
	if m, ok := o.object("thread", "column", "order", "parent"); ok {
		t.Thread = &content.Thread{Column: m.required("column"), Order: m.required("order"), Parent: m.text("parent")}
	}
	if m, ok := o.object("people", "table", "key", "restrictedUntil", "suspendedUntil", "terminatedAt"); ok {
		t.People = &content.People{Table: m.text("table"), Key: m.text("key"), RestrictedUntil: m.text("restrictedUntil"),
			SuspendedUntil: m.text("suspendedUntil"), TerminatedAt: m.text("terminatedAt")}
	}
	if r, ok := o.byName["reports"]; ok {
		t.Reports = r.reports()
	}
	return t
}

// reports reads the option `reports`, which is false, true or an object.
func (n node) reports() *content.Reports {
	if n.isScalar() {
		if on, ok := n.boolean("true, false, or an object of titleField and snapshotFields"); !ok || !on {
			return nil
		}
		return &content.Reports{}
	}
	members, ok := n.members()
	if !ok {
		return nil
	}
	for _, m := range members {
		if m.name == "enabled" {
			m.fault("reports.enabled is not an option: reports: true, or an object, enables reporting, and reports: false disables it")
		}
	}
	o := n.objectOf(members, []string{"titleField", "snapshotFields"}, "enabled")
	r := &content.Reports{TitleField: o.text("titleField")}
	if _, ok := o.byName["snapshotFields"]; ok {
		r.SnapshotFields = append([]string{}, o.texts("snapshotFields")...)
	}
	return r
}
