package permission

import "github.com/docketmod/docket/domain"

// PluginPermissions are the permissions of one plugin, as GET admin/staff/permissions
// returns them. The maps go from modules to permissions in the order of their declaration
// and are never nil.
type PluginPermissions struct {
	PluginID  string                        `json:"pluginId"`
	Admin     map[string][]AdminListing     `json:"admin"`
	Moderator map[string][]ModeratorListing `json:"moderator"`
}

// AdminListing is an admin permission of the catalog.
type AdminListing struct {
	Permission string  `json:"permission"`
	DependsOn  *string `json:"dependsOn"`
}

// ModeratorListing is a moderator permission of the catalog. Scope is the family of its grants.
type ModeratorListing struct {
	Permission string  `json:"permission"`
	DependsOn  *string `json:"dependsOn"`
	Scope      *string `json:"scope"`
}

// Listing returns the catalog by plugin: Docket itself first, then the plugins in the order
// of their registration.
func (c *Catalog) Listing() []PluginPermissions {
	var out []PluginPermissions
	at := make(map[string]int)
	for _, d := range c.now.Load().all {
		i, seen := at[d.Plugin]
		if !seen {
			i = len(out)
			at[d.Plugin] = i
			out = append(out, PluginPermissions{
				PluginID:  d.Plugin,
				Admin:     map[string][]AdminListing{},
				Moderator: map[string][]ModeratorListing{},
			})
		}
		if d.Kind == Admin {
			out[i].Admin[d.Module] = append(out[i].Admin[d.Module], AdminListing{d.Permission, domain.OrNull(d.DependsOn)})
		} else {
			out[i].Moderator[d.Module] = append(out[i].Moderator[d.Module], ModeratorListing{d.Permission, domain.OrNull(d.DependsOn), domain.OrNull(d.Scope)})
		}
	}
	return out
}
