package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/staff"
)

// Staff has the routes of staff entries, of the permissions that can be granted, and of the
// resources to select.
type Staff struct {
	Entries *staff.Store
	Catalog *permission.Catalog
	Scopes  *registry.Scopes
	Targets *registry.Targets
}

// staffManager is the access for those who manage entries of either kind.
var staffManager = admin(permission.AreaModerators, permission.AreaAdmins)

func (a *Staff) routes() []route {
	routes := append(a.ownPermissionsRoutes(), a.ownScopesRoute(), a.scopeResourcesRoute(),
		route{http.MethodGet, "/admin/staff/permissions", staffManager, a.permissions})
	for _, kind := range []permission.Kind{permission.Moderator, permission.Admin} {
		managed := admin(kind.StaffArea())
		entries, entry := "/admin/staff/"+string(kind)+"s", "/admin/staff/entry/"+string(kind)
		of := staffKind{a, kind}
		routes = append(routes,
			route{http.MethodGet, entries, managed, paged(staff.EntryList, of.list)},
			route{http.MethodPost, entry, managed, of.create},
			route{http.MethodGet, entry + "/{id}", managed, byID(of.get)},
			route{http.MethodPatch, entry + "/{id}", managed, byID(of.replace)},
			route{http.MethodDelete, entry + "/{id}", managed, byID(of.remove)},
			route{http.MethodGet, entry + "/{id}/history", managed, byID(of.history)},
		)
	}
	return routes
}

// staffKind serves the routes that both kinds of entries share.
type staffKind struct {
	*Staff
	kind permission.Kind
}

func (a staffKind) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Entries.List(r.Context(), a.kind, request)
	return okJSON(w, page, err)
}

func (a staffKind) create(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	userID := b.text("userId")
	if userID != "" {
		if _, ok := parseUUID(userID); !ok {
			b.fault("userId", "invalid", "Must be a user id.")
		}
	}
	if err := b.Err(); err != nil {
		return err
	}
	entry, err := a.Entries.Create(r.Context(), by(r), a.kind, userID)
	return answerJSON(w, http.StatusCreated, struct {
		ID string `json:"id"`
	}{entry.ID}, err)
}

func (a staffKind) get(w http.ResponseWriter, r *http.Request, id string) error {
	entry, err := a.Entries.Get(r.Context(), a.kind, id)
	return okJSON(w, entry, err)
}

// replace returns 404 before it reports faults of the body.
func (a staffKind) replace(w http.ResponseWriter, r *http.Request, id string) error {
	entry, err := a.Entries.Get(r.Context(), a.kind, id)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	update := a.readUpdate(b)
	if err := b.Err(); err != nil {
		return err
	}
	changed, err := a.Entries.Replace(r.Context(), by(r), a.kind, entry.ID, update)
	return okJSON(w, changed, err)
}

func (a staffKind) remove(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Entries.Delete(r.Context(), by(r), a.kind, id))
}

func (a staffKind) history(w http.ResponseWriter, r *http.Request, id string) error {
	request, err := staff.HistoryList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Entries.History(r.Context(), a.kind, id, request)
	return okJSON(w, page, err)
}

func by(r *http.Request) staff.By { return staff.By{UserID: callerOf(r).UserID} }

func (a *Staff) permissions(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, a.Catalog.Listing())
}
