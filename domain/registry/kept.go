package registry

import (
	"maps"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// ParseKept is ParseManifest for a manifest that is stored in the database. Such a manifest only connects a platform:
// it may name neither tables of this database nor variables of the server's environment. Docket generates the secrets
// of the platform and of its providers, so secretEnv is not read.
func ParseKept(file string, data []byte) *Declaration {
	p := ParseManifest(file, data)
	p.kept = true
	if p.unread("") {
		return p
	}
	if p.Remote == nil {
		p.AddFault("remote", "a platform needs the option remote: {url}")
	}
	for i := range p.ContentTypes {
		p.AddFault(typePath(i), "tables can be named in a manifest that the server is given as a file, with --plugin, and not here")
	}
	for i := range p.Families {
		p.AddFault(p.familyPath(i), "a scope of a platform needs remote: true; tables can be named in a manifest that the server is given as a file")
	}
	for i := range p.Webhooks {
		p.AddFault(webhookPath(i), "a webhook takes its secret from the server's environment: add it under Administration, Webhooks instead")
	}
	for i, path := range p.permissionPaths() {
		if p.Permissions[i].Kind == permission.Admin {
			p.AddFault(path, "a platform has no pages of administration, so that it needs no admin permission")
		}
	}
	for _, locale := range sortedKeys(p.Messages) {
		for _, key := range sortedKeys(p.Messages[locale]) {
			if strings.HasPrefix(key, "notice.") {
				p.AddFault("messages."+locale+"."+key, "the texts of Docket's own notices can be changed only by a manifest that the server is given as a file")
			}
		}
	}
	return p
}

// Text returns the source of the manifest; "" for a plugin declared in Go.
func (p *Declaration) Text() string {
	if p.origin == nil {
		return ""
	}
	return p.origin.text
}

// FaultsOf returns the faults of a plugin when it is registered together with valid others.
func FaultsOf(p *Declaration, others ...*Declaration) Faults {
	all := append(slices.Clone(others), p)
	found := newRegistration(all).faults.sorted(all)
	return slices.DeleteFunc(found, func(f Fault) bool { return f.File != p.Origin() })
}

// Kept is a platform that is connected by a stored manifest.
type Kept struct {
	*Declaration
	Platform Platform
}

// Changeable is a registration whose stored platforms can be replaced while it is in use. Its registries stay the same
// objects, so their holders see the change.
type Changeable struct {
	*Registered
	plugins  []*Declaration
	targets  []*target.Definition
	scopes   []*scope.Definition
	messages map[string]map[string]string
}

// NewChangeable returns the registration of the plugins, without any stored platform.
func NewChangeable(r *Registered, plugins []*Declaration) *Changeable {
	return &Changeable{r, plugins, r.Targets.All(), r.Scopes.All(), r.Messages}
}

// Plugins returns the plugins that are declared in Go and in files.
func (c *Changeable) Plugins() []*Declaration { return c.plugins }

// Connect replaces the stored platforms. They must have no faults. It must not be called concurrently.
func (c *Changeable) Connect(platforms ...Kept) (messages map[string]map[string]string) {
	next := &Registered{Messages: map[string]map[string]string{}}
	next.addMessages(c.messages)
	targets, scopes, plugins := slices.Clone(c.targets), slices.Clone(c.scopes), slices.Clone(c.plugins)
	for _, p := range platforms {
		t, s := p.remoteParts(p.Platform)
		targets, scopes, plugins = append(targets, t...), append(scopes, s...), append(plugins, p.Declaration)
		next.addMessages(p.Messages)
	}
	next.assemble(plugins, targets, scopes)
	c.Targets.now.Store(next.Targets.now.Load())
	c.Scopes.now.Store(next.Scopes.now.Load())
	c.Permissions.Replace(next.Permissions)
	return next.Messages
}

// remoteParts returns the targets and families of a platform.
func (p *Declaration) remoteParts(platform Platform) (targets []*target.Definition, scopes []*scope.Definition) {
	for i := range p.RemoteTypes {
		if t := &p.RemoteTypes[i]; t.Reports != nil {
			d := platform.Target(t)
			d.PluginID = p.ID
			targets = append(targets, &d)
		}
	}
	for i := range p.RemoteFamilies {
		scopes = append(scopes, new(platform.Family(&p.RemoteFamilies[i])))
	}
	return targets, scopes
}

func (r *Registered) addMessages(from map[string]map[string]string) {
	for locale, texts := range from {
		if r.Messages[locale] == nil {
			r.Messages[locale] = map[string]string{}
		}
		maps.Copy(r.Messages[locale], texts)
	}
}

// TypeIDs returns the ids of the plugin's reportable types, sorted.
func (p *Declaration) TypeIDs() []string {
	ids := []string{}
	for _, t := range p.types() {
		if t.Reports != nil {
			ids = append(ids, t.ID)
		}
	}
	for _, d := range p.Targets {
		ids = append(ids, d.Type)
	}
	slices.Sort(ids)
	return ids
}

// checkKeptFamilies reports scope families that this stored platform uses and another one declares. They would depend
// on the order of the platforms, and vanish when the other one is turned off.
func (r *registration) checkKeptFamilies(p *Declaration) {
	if !p.kept {
		return
	}
	fault := r.reporter(p)
	check := func(family, path string) {
		if owner := r.families[family]; owner != nil && owner.kept && owner != p {
			fault(path, "the scope family %q is of the platform %s: use one of this manifest or of a plugin that the server is given as a file", family, owner.ID)
		}
	}
	for i := range p.RemoteTypes {
		check(p.RemoteTypes[i].Family(), remoteTypePath(i)+".moderationScope.family")
	}
	for i, path := range p.permissionPaths() {
		check(p.Permissions[i].Scope, path+".scope")
	}
}
