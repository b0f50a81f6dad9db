package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Content builds the parts of a registration that read tables. It reports mismatches with the
// database as faults, with paths relative to the declaration. Its errors are those of reading the
// database.
type Content interface {
	Type(ctx context.Context, pluginID string, t *content.Type, fault content.FaultFunc) (BuiltType, error)
	Family(ctx context.Context, f *content.Family, fault content.FaultFunc) (scope.Definition, error)
}

// BuiltType is what Content builds from a content type.
type BuiltType struct {
	Target *target.Definition // nil without reports
	Reader content.Reader     // nil without a public API
}

// Deps are the dependencies of a registration.
type Deps struct {
	Content Content // may be nil if no plugin has content types or families
	// Connect connects the platforms of remote types; nil if this process does not call them.
	Connect Connect
	// Webhooks is nil if this process sends none; their secrets are then not read.
	Webhooks *WebhookSettings
}

// Registered is everything that the plugins declare. Only a Changeable changes it.
type Registered struct {
	Targets     *Targets
	Scopes      *Scopes
	Permissions *permission.Catalog
	Messages    map[string]map[string]string // locale to key to text
	Content     []RegisteredContent          // with a public API
	Webhooks    []RegisteredWebhook          // with Deps.Webhooks
	Providers   []RegisteredProvider         // with Deps.Webhooks
}

// RegisteredContent is the public content API of one type.
type RegisteredContent struct {
	PluginID string
	Type     *content.Type
	Reader   content.Reader
}

// Register checks all plugins together and returns what they declare. If any has a fault, its error
// is a Faults with all of them. Any other error comes from the database. It starts nothing.
func Register(ctx context.Context, deps Deps, plugins ...*Declaration) (*Registered, error) {
	if deps.Content == nil && slices.ContainsFunc(plugins, (*Declaration).hasTables) {
		return nil, errors.New("register plugins: content types need Deps.Content")
	}
	r := newRegistration(plugins)
	out := &Registered{Messages: map[string]map[string]string{}}
	var targets []*target.Definition
	var scopes []*scope.Definition
	for _, p := range plugins {
		report := r.reporter(p)
		for i := range p.ContentTypes {
			t := &p.ContentTypes[i]
			made, err := deps.Content.Type(ctx, p.ID, t, report.At(typePath(i)))
			if err != nil {
				return nil, fmt.Errorf("check content type %s: %w", t.ID, err)
			}
			if made.Target != nil {
				targets = append(targets, made.Target)
			}
			if made.Reader != nil {
				out.Content = append(out.Content, RegisteredContent{p.ID, t, made.Reader})
			}
		}
		for i := range p.Targets {
			d := p.Targets[i]
			d.PluginID = p.ID
			targets = append(targets, &d)
		}
		for i := range p.Families {
			d, err := deps.Content.Family(ctx, &p.Families[i], report.At(p.familyPath(i)))
			if err != nil {
				return nil, fmt.Errorf("check scope family %s: %w", p.Families[i].ID, err)
			}
			scopes = append(scopes, &d)
		}
		if p.Remote != nil && deps.Connect != nil && deps.Webhooks != nil {
			secret := deps.Webhooks.secret(p.Remote.URL, p.Remote.SecretEnv, report.At("remote"))
			t, s := p.remoteParts(deps.Connect(p.ID, *p.Remote, secret))
			targets, scopes = append(targets, t...), append(scopes, s...)
		}
		for i := range p.Scopes {
			scopes = append(scopes, &p.Scopes[i])
		}
		if deps.Webhooks != nil {
			out.resolve(p, deps.Webhooks, report)
		}
		out.addMessages(p.Messages)
	}
	if err := r.faults.sorted(plugins).err(); err != nil {
		return nil, err
	}
	out.assemble(plugins, targets, scopes)
	return out, nil
}

func (p *Declaration) hasTables() bool { return len(p.ContentTypes)+len(p.Families) > 0 }

// assemble builds the registries.
func (r *Registered) assemble(plugins []*Declaration, targets []*target.Definition, scopes []*scope.Definition) {
	r.Scopes, r.Targets = NewScopes(scopes...), NewTargets(targets...)
	var declared, generated []permission.Declared
	for _, p := range plugins {
		for _, d := range p.Permissions {
			declared = append(declared, declaredPermission(p.ID, d))
		}
		for _, g := range p.generated() {
			generated = append(generated, g.permissions...)
		}
	}
	r.Permissions = permission.NewCatalog(declared, generated)
}

func typePath(i int) string   { return fmt.Sprintf("contentTypes[%d]", i) }
func scopePath(i int) string  { return fmt.Sprintf("moderation.scopes[%d]", i) }
func targetPath(i int) string { return fmt.Sprintf("targets[%d]", i) }
