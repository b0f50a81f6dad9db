package registry

import (
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
)

func (n node) remote() *plugin.Remote {
	o, _ := n.object("url", "secretEnv", "timeout")
	return &plugin.Remote{URL: o.text("url"), SecretEnv: o.text("secretEnv"), Timeout: o.timeout()}
}

func (n node) remoteType() plugin.RemoteType {
	o, _ := n.object("id", "label", "permissionModule", "key", "moderationScope", "fields", "reports", "actions", "context", "people", "contentType")
	t := plugin.RemoteType{Type: content.Type{ID: o.text("id"), Label: o.text("label"), PermissionModule: o.text("permissionModule"), ContentType: o.text("contentType")}}
	if k, ok := o.object("key", "kind"); ok {
		t.Key.Kind = content.KeyKind(k.text("kind"))
	}
	if m, ok := o.object("moderationScope", "family"); ok {
		t.Scope = &content.Scope{Family: m.required("family")}
	}
	for _, f := range o.named("fields") {
		m, _ := f.object("kind")
		t.Fields = append(t.Fields, content.Field{Name: f.name, Kind: content.FieldKind(m.text("kind"))})
	}
	if r, ok := o.byName["reports"]; ok {
		t.Reports = r.reports()
	}
	t.Context, t.People = o.flag("context"), o.flag("people")
	for _, a := range o.list("actions") {
		m, _ := a.object("name", "undo", "permission", "secondKey")
		t.Actions = append(t.Actions, plugin.RemoteAction{Name: m.text("name"), Undo: m.text("undo"), Permission: m.text("permission"), SecondKey: m.flag("secondKey")})
	}
	t.CompleteRemote()
	return t
}

// scope reads a scope family: over a table, or with `remote: true` one of the platform.
func (d *decoder) scope(n node, index int) {
	o, _ := n.object("id", "label", "description", "table", "idColumn", "labelColumn", "contextColumns", "remote")
	if !o.flag("remote") {
		d.plugin.Families = append(d.plugin.Families, o.family())
		d.plugin.familyAt = append(d.plugin.familyAt, index)
		return
	}
	for _, option := range []string{"table", "idColumn", "labelColumn", "contextColumns"} {
		if m, ok := o.byName[option]; ok {
			m.fault("a remote scope has no tables")
		}
	}
	d.plugin.RemoteFamilies = append(d.plugin.RemoteFamilies,
		plugin.RemoteFamily{ID: o.text("id"), Label: o.text("label"), Description: o.text("description")})
	d.plugin.remoteFamilyAt = append(d.plugin.remoteFamilyAt, index)
}
