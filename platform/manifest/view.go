package manifest

import (
	"slices"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/remote"
)

// View is a platform as this server sees it.
type View struct {
	ID       string
	Version  int  // 0 for a platform of a file
	File     bool // declared by a plugin that the server was started with
	Types    []string
	State    State
	Faults   registry.Faults
	Manifest string // "" for a plugin in Go
	Health   remote.Health
}

// List returns every platform of this server: those of plugins first, then the stored ones, sorted
// by id.
func (c *Connections) List() []View {
	var all []View
	for _, p := range c.live.Plugins() {
		if p.Remote == nil {
			continue
		}
		v := View{ID: p.ID, File: true, Types: p.TypeIDs(), State: Serving, Manifest: p.Text()}
		for _, platform := range c.platforms.All() {
			if h := platform.Health(); h.PluginID == p.ID {
				v.Health = h
			}
		}
		all = append(all, v)
	}
	for _, one := range *c.now.Load() {
		v := View{ID: one.ID, Version: one.Version, Types: one.declared.TypeIDs(), State: one.state(), Faults: one.faults, Manifest: one.Manifest}
		if one.platform != nil {
			v.Health = one.platform.Health()
		}
		all = append(all, v)
	}
	return all
}

// View returns a platform of this server by id, or false.
func (c *Connections) View(id string) (View, bool) {
	all := c.List()
	i := slices.IndexFunc(all, func(v View) bool { return v.ID == id })
	if i < 0 {
		return View{}, false
	}
	return all[i], true
}
