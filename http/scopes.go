package http

import (
	"net/http"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// ownFamily is a scope family within the caller's grants to view reports.
type ownFamily struct {
	ID          string  `json:"id"`
	Label       string  `json:"label"`
	Description *string `json:"description"`
	// All means that the grants cover every resource; Resources is then a page of them.
	All        bool         `json:"all"`
	Resources  []scope.Item `json:"resources"`
	NextCursor *string      `json:"nextCursor"`
}

// ownScopes is GET moderation/scopes: the families that the caller may filter by, with the
// labelled resources within the caller's grants. `search` narrows the resources. `family`
// selects one family, in which `cursor` continues.
func (a *Staff) ownScopes(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	query, err := pickerQuery(q, repeated(q, "family")...)
	if err != nil {
		return err
	}
	if !q.Has("limit") {
		query.Limit = scope.MaxLimit
	}
	only := q.Get("family")
	if query.Cursor != "" && only == "" {
		return domain.Invalid(domain.Issue{Path: "cursor", Code: "exclusive", Message: "Send the cursor with the family that returned it."})
	}
	covered := coverage(r)
	items := []ownFamily{}
	for _, family := range a.Scopes.All() {
		if only != "" && family.ID != only {
			continue
		}
		all, ids := covered.InFamily(family.ID, func(plugin, module string) bool { return a.hasTargets(plugin, module, family.ID) })
		if !all && len(ids) == 0 {
			continue
		}
		shown := ownFamily{ID: family.ID, Label: family.Label, Description: domain.OrNull(family.Description), All: all}
		if all {
			page, err := family.Page(r.Context(), query)
			if err != nil {
				return err
			}
			shown.Resources, shown.NextCursor = page.Items, page.NextCursor
		} else {
			found, err := family.Lookup(r.Context(), ids)
			if err != nil {
				return err
			}
			shown.Resources = matching(found.Items, query.Search)
		}
		items = append(items, shown)
	}
	return writeJSON(w, http.StatusOK, struct {
		Items []ownFamily `json:"items"`
	}{items})
}

// hasTargets reports whether a module has targets in the family.
func (a *Staff) hasTargets(plugin, module, family string) bool {
	return slices.ContainsFunc(a.Targets.All(), func(d *target.Definition) bool {
		return d.PluginID == plugin && d.PermissionModule == module && d.ScopeFamily == family
	})
}

// matching filters a selection by labels and ids, since plugins search only whole families.
func matching(items []scope.Item, search string) []scope.Item {
	found := []scope.Item{}
	for _, item := range items {
		if search == "" || item.ID == search || strings.Contains(strings.ToLower(item.Label), strings.ToLower(search)) {
			found = append(found, item)
		}
	}
	return found
}
