package registry

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Targets are the registered report targets. The zero value has none. They can be replaced while
// others read them: a definition that was found does not change.
type Targets struct {
	registered[[2]string, target.Definition]
}

// NewTargets returns the registry of definitions that have passed the checks of Register.
func NewTargets(definitions ...*target.Definition) *Targets {
	t := &Targets{}
	t.replace(definitions, func(d *target.Definition) [2]string { return [2]string{d.PluginID, d.Type} })
	return t
}

// Find returns the definition of a plugin's target type, or nil.
func (t *Targets) Find(pluginID, targetType string) *target.Definition {
	return t.find([2]string{pluginID, targetType})
}

// Scopes are the registered scope families. The zero value has none. They can be replaced
// while others read them.
type Scopes struct {
	registered[string, scope.Definition]
}

// NewScopes returns a registry of families that have passed the checks of Register.
func NewScopes(definitions ...*scope.Definition) *Scopes {
	s := &Scopes{}
	s.replace(definitions, func(d *scope.Definition) string { return d.ID })
	return s
}

// Find returns a family, or nil.
func (s *Scopes) Find(id string) *scope.Definition { return s.find(id) }

// registered has the definitions by key, as an immutable map that is replaced as a whole.
type registered[K comparable, D any] struct {
	now atomic.Pointer[definitions[K, D]]
}

type definitions[K comparable, D any] struct {
	byKey map[K]*D
	all   []*D
}

func (r *registered[K, D]) replace(all []*D, key func(*D) K) {
	next := &definitions[K, D]{make(map[K]*D, len(all)), all}
	for _, d := range all {
		next.byKey[key(d)] = d
	}
	r.now.Store(next)
}

func (r *registered[K, D]) find(key K) *D {
	if now := r.now.Load(); now != nil {
		return now.byKey[key]
	}
	return nil
}

// All returns the definitions in the order of their registration.
func (r *registered[K, D]) All() []*D {
	if now := r.now.Load(); now != nil {
		return now.all
	}
	return nil
}

// Existing returns the ids that are resources of a registered family. It is a
// permission.FindResources.
func (s *Scopes) Existing(ctx context.Context, family string, ids []string) ([]string, error) {
	d := s.Find(family)
	if d == nil {
		return nil, fmt.Errorf("scope family %s is not registered", family)
	}
	l, err := d.Lookup(ctx, ids)
	if err != nil {
		return nil, err
	}
	return domain.Map(l.Items, func(item scope.Item) string { return item.ID }), nil
}
