package http

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

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
	err        error        // why they cannot be had
}

// ownFamilies names the families whose plugins failed in Missing. If all failed, the request fails.
type ownFamilies struct {
	Items   []*ownFamily `json:"items"`
	Missing []string     `json:"missing,omitempty"`
}

func (a *Staff) ownScopesRoute() route {
	return route{http.MethodGet, "/moderation/scopes", moderator, a.ownScopes}
}

// ownScopes is GET moderation/scopes: the families that the caller may filter by, with the labelled
// resources within the caller's grants. `search` narrows the resources. `family` selects one
// family, and `cursor` continues in it.
func (a *Staff) ownScopes(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	only := q.storable("family")
	picked, err := pickerQuery(q)
	if err != nil {
		return err
	}
	if !q.Has("limit") {
		picked.Limit = scope.MaxLimit
	}
	if picked.Cursor != "" && only == "" {
		return domain.Invalid(domain.Issue{Path: "cursor", Code: "exclusive", Message: "Send the cursor with the family that returned it."})
	}
	covered := coverage(r)
	var asked []*ownFamily
	var all sync.WaitGroup
	for _, family := range a.Scopes.All() {
		if only != "" && family.ID != only {
			continue
		}
		whole, ids := covered.InFamily(family.ID, func(plugin, module string) bool { return a.hasTargets(plugin, module, family.ID) })
		if !whole && len(ids) == 0 {
			continue
		}
		shown := &ownFamily{ID: family.ID, Label: family.Label, Description: domain.OrNull(family.Description), All: whole}
		asked = append(asked, shown)
		all.Go(func() { shown.err = shown.ask(r.Context(), family, ids, picked) })
	}
	all.Wait()
	answer := ownFamilies{Items: []*ownFamily{}}
	for _, shown := range asked {
		switch {
		case shown.err == nil:
			answer.Items = append(answer.Items, shown)
		case len(asked) == 1:
			return shown.err
		default:
			zerolog.Ctx(r.Context()).Warn().Err(shown.err).Str("family", shown.ID).Msg("resources of a scope family cannot be had")
			answer.Missing = append(answer.Missing, shown.ID)
		}
	}
	return writeJSON(w, http.StatusOK, answer)
}

// ask reads the resources of the family: a page of all, or those with the ids that match the
// search.
func (f *ownFamily) ask(ctx context.Context, family *scope.Definition, ids []string, picked scope.Query) error {
	if f.All {
		page, err := family.Page(ctx, picked)
		f.Resources, f.NextCursor = page.Items, page.NextCursor
		return err
	}
	found, err := family.Lookup(ctx, ids)
	f.Resources = matching(found.Items, picked.Search)
	return err
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
