package registry

import (
	"errors"
	"io/fs"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
)

// ParseManifest parses a YAML manifest. It always returns a plugin, with what could be read.
// Register and Check report its faults of form together with all others. file is the manifest's
// name in faults.
func ParseManifest(file string, data []byte) *Declaration {
	p := &Declaration{origin: &origin{file: file, text: string(data), lines: map[string]int{}}}
	d := &decoder{plugin: p, nodes: maxNodes}
	if root, ok := d.document(data); ok {
		d.manifest(root)
	}
	return p
}

// Unreadable returns a plugin whose only fault is that its manifest could not be read.
func Unreadable(file string, err error) *Declaration {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err // the fault names the file already
	}
	return &Declaration{origin: &origin{file: file, unread: []domain.Issue{{}}}, faults: Faults{{File: file, Message: err.Error()}}}
}

func (d *decoder) manifest(root node) {
	o, ok := root.object("id", "contentTypes", "moderation", "permissions", "messages", "webhooks", "remote", "remoteTypes", "issuer", "providers")
	if !ok {
		return
	}
	p := d.plugin
	p.ID = o.text("id")
	for _, n := range o.list("contentTypes") {
		p.ContentTypes = append(p.ContentTypes, n.contentType())
	}
	if m, ok := o.object("moderation", "scopes"); ok {
		for i, n := range m.list("scopes") {
			d.scope(n, i)
		}
	}
	if m, ok := o.object("permissions", "moderator", "admin"); ok {
		for _, kind := range []permission.Kind{permission.Moderator, permission.Admin} {
			for _, module := range m.named(string(kind)) {
				for _, item := range module.items() {
					p.Permissions = append(p.Permissions, item.permission(kind, module.name))
				}
			}
		}
	}
	if n, ok := o.byName["remote"]; ok {
		p.Remote = n.remote()
	}
	if i, ok := o.object("issuer", "jwksUrl", "issuer", "audience"); ok {
		p.Issuer = &plugin.Issuer{JWKSURL: i.text("jwksUrl"), Issuer: i.text("issuer"), Audience: i.text("audience")}
	}
	for _, n := range o.list("remoteTypes") {
		p.RemoteTypes = append(p.RemoteTypes, n.remoteType())
	}
	for _, n := range o.list("providers") {
		p.Providers = append(p.Providers, n.provider())
	}
	for _, n := range o.list("webhooks") {
		p.Webhooks = append(p.Webhooks, n.webhook())
	}
	for _, locale := range o.named("messages") {
		texts, ok := locale.members()
		if !ok {
			continue
		}
		if p.Messages == nil {
			p.Messages = map[string]map[string]string{}
		}
		p.Messages[locale.name] = make(map[string]string, len(texts))
		for _, n := range texts {
			p.Messages[locale.name][n.name], _ = n.text()
		}
	}
}

func (o object) family() content.Family {
	return content.Family{
		ID: o.text("id"), Label: o.text("label"), Description: o.text("description"),
		Table: o.text("table"), IDColumn: o.text("idColumn"), LabelColumn: o.text("labelColumn"),
		ContextColumns: o.texts("contextColumns"),
	}
}

// permission reads a permission, which is a name or an object.
func (n node) permission(kind permission.Kind, module string) plugin.Permission {
	p := plugin.Permission{Kind: kind, Module: module}
	if n.isScalar() {
		p.Permission, _ = n.text()
		return p
	}
	o, _ := n.object("permission", "dependsOn", "scope")
	p.Permission, p.DependsOn, p.Scope = o.text("permission"), o.text("dependsOn"), o.text("scope")
	return p
}
