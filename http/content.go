package http

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
)

// Content has the public content API of every content type that declares one. Guests may read it.
// Hidden content is 404, except for holders of can_view_hidden in its scope.
type Content struct {
	Types []registry.RegisteredContent
}

// contentTimeout bounds one read from a plugin's tables.
const contentTimeout = 5 * time.Second

func (a *Content) routes() []route {
	// A plugin's id begins with a letter, so `@platform` does not match.
	return []route{
		{http.MethodGet, "/api/{plugin:[a-z][a-z0-9_-]*}/{type}", open, with(a.find, a.list)},
		{http.MethodGet, "/api/{plugin:[a-z][a-z0-9_-]*}/{type}/{id}", open, with(a.find, a.item)},
	}
}

func (a *Content) find(r *http.Request) (registry.RegisteredContent, error) {
	vars := mux.Vars(r)
	for _, t := range a.Types {
		if t.PluginID == vars["plugin"] && t.Type.PublicAPI.Path == vars["type"] {
			return t, nil
		}
	}
	return registry.RegisteredContent{}, notFound()
}

func (a *Content) list(w http.ResponseWriter, r *http.Request, t registry.RegisteredContent) error {
	q := readQuery(r)
	locale := q.locale()
	request, err := q.page(t.Reader.List())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), contentTimeout)
	defer cancel()
	page, err := t.Reader.Items(ctx, request, locale, hiddenAccess(callerOf(r), t))
	return okJSON(w, paging.Map(page, func(i content.Item) map[string]any { return viewContent(t, i, callerOf(r)) }), err)
}

func (a *Content) item(w http.ResponseWriter, r *http.Request, t registry.RegisteredContent) error {
	raw, err := url.PathUnescape(mux.Vars(r)["id"])
	if err != nil {
		return notFound()
	}
	id, ok := t.Type.Key.Kind.Parse(raw)
	if !ok {
		return notFound()
	}
	q := readQuery(r)
	locale := q.locale()
	if err := q.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), contentTimeout)
	defer cancel()
	item, err := t.Reader.Item(ctx, id, locale, hiddenAccess(callerOf(r), t))
	if err != nil {
		return err
	}
	if item == nil {
		return notFound()
	}
	return writeJSON(w, http.StatusOK, viewContent(t, *item, callerOf(r)))
}

// hiddenAccess returns which hidden records of a type the caller may see.
func hiddenAccess(c *permission.Caller, t registry.RegisteredContent) content.HiddenAccess {
	if c == nil {
		return content.HiddenAccess{}
	}
	held := c.Coverage(permission.ViewHidden)
	access := content.HiddenAccess{All: held.All}
	for _, m := range held.Modules {
		switch {
		case m.Plugin != t.PluginID || m.Module != t.Type.PermissionModule:
		case m.Whole, m.Family == t.Type.Family() && m.All:
			access.All = true
		case m.Family == t.Type.Family():
			access.Resources = append(access.Resources, m.IDs...)
		}
	}
	return access
}

// viewContent returns the public fields by name, and the properties of every record. A field
// replaces a property of the same name, except `id`. Content on which the caller gives a second
// opinion does not look hidden.
func viewContent(t registry.RegisteredContent, i content.Item, c *permission.Caller) map[string]any {
	view := map[string]any{
		"url":         i.URL,
		"locale":      domain.OrNull(i.Locale),
		"hidden":      i.Hidden && (c == nil || !c.Blind.Hides(t.PluginID, t.Type.ID, i.ID)),
		"authors":     i.Authors,
		"updatedAt":   domain.TimeOf(i.UpdatedAt),
		"publishedAt": domain.TimeOf(i.PublishedAt),
	}
	for _, f := range i.Fields {
		view[f.Name] = f.Value
	}
	view["id"] = i.ID
	return view
}
