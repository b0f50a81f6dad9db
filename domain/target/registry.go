package target

import "fmt"

// Registry holds the registered definitions. It is immutable, so it is safe for concurrent
// use.
type Registry struct {
	byKey map[[2]string]*Definition
	all   []*Definition
}

// NewRegistry returns a registry of the definitions. A duplicate type is an error.
func NewRegistry(definitions ...*Definition) (*Registry, error) {
	r := &Registry{byKey: make(map[[2]string]*Definition, len(definitions))}
	for _, d := range definitions {
		key := [2]string{d.PluginID, d.Type}
		if r.byKey[key] != nil {
			return nil, fmt.Errorf("report target %s of plugin %s is registered twice", d.Type, d.PluginID)
		}
		r.byKey[key] = d
		r.all = append(r.all, d)
	}
	return r, nil
}

// Find returns the definition of a plugin's target type, or nil.
func (r *Registry) Find(pluginID, targetType string) *Definition {
	return r.byKey[[2]string{pluginID, targetType}]
}

// All returns the definitions in the order of their registration.
func (r *Registry) All() []*Definition { return r.all }
