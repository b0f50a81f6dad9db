package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
)

// Catalog has the routes of what plugins declare: the types that can be reported, and the messages.
type Catalog struct {
	Targets  *registry.Targets
	Content  []registry.RegisteredContent
	Messages func() map[string]map[string]string // locale to key to text
	Locale   string                              // used where a message is missing
}

func (a *Catalog) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/target-types", signedIn, a.targetTypes},
		a.messagesRoute(),
	}
}

type targetType struct {
	PluginID         string   `json:"pluginId"`
	Type             string   `json:"type"`
	Label            string   `json:"label"`
	PermissionModule string   `json:"permissionModule"`
	Scope            *string  `json:"scope"` // the family; null for an unscoped target
	Actions          []string `json:"actions"`
	PublicPath       *string  `json:"publicPath"` // of the public content API; null if the type has none
}

// targetTypes lists the types whose reports a moderator may view. For others it lists all types,
// since everybody may report.
func (a *Catalog) targetTypes(w http.ResponseWriter, r *http.Request) error {
	items := []targetType{}
	views := admitModerator(callerOf(r)) == nil
	for _, d := range a.Targets.All() {
		if views && !callerOf(r).Moderator.Has(d.PluginID, d.PermissionModule, permission.ViewReports) {
			continue
		}
		item := targetType{PluginID: d.PluginID, Type: d.Type, Label: d.Label, PermissionModule: d.PermissionModule,
			Scope: domain.OrNull(d.ScopeFamily), Actions: []string{}, PublicPath: a.publicPath(d.PluginID, d.Type)}
		for _, action := range d.Actions {
			item.Actions = append(item.Actions, action.Name)
		}
		items = append(items, item)
	}
	return writeJSON(w, http.StatusOK, map[string]any{"items": items})
}

// publicPath is the path of the type's public content API, or nil.
func (a *Catalog) publicPath(pluginID, targetType string) *string {
	for _, c := range a.Content {
		if c.PluginID == pluginID && c.Type.ID == targetType {
			return &c.Type.PublicAPI.Path
		}
	}
	return nil
}
