package remote

import (
	"cmp"
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// Target implements registry.Platform.
func (p *Platform) Target(t *plugin.RemoteType) target.Definition {
	d := target.Definition{
		PluginID: p.pluginID, Type: t.ID, Label: t.Label, PermissionModule: t.PermissionModule, ContentType: t.ContentType,
		ParseID: t.Key.Kind.Parse, Capture: p.capture(t), Timeout: p.timeout,
		ReadCapture: func(raw []byte, locale string) (*snapshot.Capture, []domain.Issue) {
			return ReadCapture(t, raw, cmp.Or(locale, p.settings.Locale))
		},
		Current: func(ctx context.Context, id, locale string) (*target.State, error) {
			s, err := p.state(ctx, t, id, locale)
			if err != nil || s == nil {
				return nil, err
			}
			return &s.State, nil
		},
		Resolve: p.resolve,
	}
	if t.People {
		d.People = &target.People{Kinds: measureKinds, Do: p.measure}
	}
	if t.Context {
		d.Context = p.context(t)
	}
	if t.Scope != nil {
		d.ScopeFamily = t.Scope.Family
		d.ResolveScope = func(ctx context.Context, id string) (string, bool, error) {
			s, err := p.state(ctx, t, id, "")
			switch {
			case err != nil || s == nil:
				return "", false, err
			case s.Scope == nil:
				return "", true, target.ErrScopeUnknown
			}
			return *s.Scope, true, nil
		}
	}
	for _, a := range t.Names() {
		d.Actions = append(d.Actions, target.Action{
			Name: a.Name, Undo: a.Undo, Permission: a.Permission, SecondKey: a.SecondKey, Do: p.act(t, a.Name),
			Available: func(s target.State) bool { return s.Actions[a.Name] },
		})
	}
	return d
}
