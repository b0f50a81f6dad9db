package registry

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Targets are the registered report targets. The zero value has none. It is immutable, so it
// is safe for concurrent use.
type Targets struct {
	byKey map[[2]string]*target.Definition
	all   []*target.Definition
}

// NewTargets returns the targets, which Register has checked.
func NewTargets(definitions ...*target.Definition) *Targets {
	t := &Targets{byKey: make(map[[2]string]*target.Definition, len(definitions)), all: definitions}
	for _, d := range definitions {
		t.byKey[[2]string{d.PluginID, d.Type}] = d
	}
	return t
}

// Find returns the definition of a plugin's target type, or nil.
func (t *Targets) Find(pluginID, targetType string) *target.Definition {
	return t.byKey[[2]string{pluginID, targetType}]
}

// All returns the definitions in the order of their registration.
func (t *Targets) All() []*target.Definition { return t.all }

// Scopes are the registered scope families. The zero value has none. It is immutable, so it
// is safe for concurrent use.
type Scopes struct {
	byID map[string]*scope.Definition
	all  []*scope.Definition
}

// NewScopes returns the families, which Register has checked.
func NewScopes(definitions ...*scope.Definition) *Scopes {
	s := &Scopes{byID: make(map[string]*scope.Definition, len(definitions)), all: definitions}
	for _, d := range definitions {
		s.byID[d.ID] = d
	}
	return s
}

// Find returns a family, or nil.
func (s *Scopes) Find(id string) *scope.Definition { return s.byID[id] }

// All returns the families in the order of their registration.
func (s *Scopes) All() []*scope.Definition { return s.all }

// Existing returns those of the ids that are resources of a registered family. It is a
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
	existing := make([]string, len(l.Items))
	for i, item := range l.Items {
		existing[i] = item.ID
	}
	return existing, nil
}
