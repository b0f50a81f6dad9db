package http

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/staff"
)

// Staff is the area of staff entries, of the permissions that they can be granted, and of
// the resources to select.
type Staff struct {
	Entries *staff.Store
	Catalog *permission.Catalog
	Scopes  *registry.Scopes
	Targets *registry.Targets
}

// staffManager is the access of those who manage entries of either kind.
var staffManager = admin(permission.AreaModerators, permission.AreaAdmins)

func (a *Staff) routes() []route {
	routes := append(a.ownPermissionsRoutes(), a.ownScopesRoute(), a.scopeResourcesRoute(),
		route{http.MethodGet, "/admin/staff/permissions", staffManager, a.permissions})
	for _, kind := range []permission.Kind{permission.Moderator, permission.Admin} {
		managed := admin(kind.StaffArea())
		entries, entry := "/admin/staff/"+string(kind)+"s", "/admin/staff/entry/"+string(kind)
		of := staffKind{a, kind}
		routes = append(routes,
			route{http.MethodGet, entries, managed, paged(staff.EntryList(), of.list)},
			route{http.MethodPost, entry, managed, of.create},
			route{http.MethodGet, entry + "/{id}", managed, byID(of.get)},
			route{http.MethodPatch, entry + "/{id}", managed, byID(of.replace)},
			route{http.MethodDelete, entry + "/{id}", managed, byID(of.remove)},
			route{http.MethodGet, entry + "/{id}/history", managed, byID(of.history)},
		)
	}
	return routes
}

// staffKind serves the routes that both kinds of entries have.
type staffKind struct {
	*Staff
	kind permission.Kind
}

func (a staffKind) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Entries.List(r.Context(), a.kind, request)
	return okJSON(w, paging.Map(page, viewEntry), err)
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
	return okJSON(w, viewEntry(entry), err)
}

// replace answers 404 before it reports faults of the body.
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
	if err != nil {
		return viewConflict(err)
	}
	return writeJSON(w, http.StatusOK, viewEntry(changed))
}

func (a staffKind) remove(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Entries.Delete(r.Context(), by(r), a.kind, id))
}

func (a staffKind) history(w http.ResponseWriter, r *http.Request, id string) error {
	request, err := staff.HistoryList().Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Entries.History(r.Context(), a.kind, id, request)
	return okJSON(w, paging.Map(page, viewChange), err)
}

func by(r *http.Request) staff.By { return staff.By{UserID: callerOf(r).UserID} }

// viewConflict shows the entry of a conflict as other answers show it.
func viewConflict(err error) error {
	var e *domain.Error
	if !errors.As(err, &e) {
		return err
	}
	entry, ok := e.Current.(staff.Entry)
	if !ok {
		return err
	}
	shown := *e
	shown.Current = viewEntry(entry)
	return &shown
}

func (a *Staff) permissions(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, a.Catalog.Listing())
}

// staffEntry shows a staff entry.
type staffEntry struct {
	ID   string    `json:"id"`
	User staffUser `json:"user"`
	staffRights
	CreatedAt domain.Time `json:"createdAt"`
	UpdatedAt domain.Time `json:"updatedAt"`
}

type staffUser struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"` // null for an account that has none
}

type staffRights struct {
	Unrestricted bool               `json:"unrestricted"`
	Permissions  []permission.Grant `json:"permissions"`
}

func viewEntry(e staff.Entry) staffEntry {
	user := staffUser{ID: e.User.ID, Name: e.User.Name, Email: domain.OrNull(e.User.Email)}
	return staffEntry{
		ID: e.ID, User: user, staffRights: *viewRights(&e.Entry),
		CreatedAt: domain.Time(e.CreatedAt), UpdatedAt: domain.Time(e.UpdatedAt),
	}
}

// viewRights returns an empty list, not null, if there are no grants.
func viewRights(e *permission.Entry) *staffRights {
	if e == nil {
		return nil
	}
	rights := &staffRights{Unrestricted: e.Unrestricted, Permissions: e.Grants}
	if rights.Permissions == nil {
		rights.Permissions = []permission.Grant{}
	}
	return rights
}

// staffChange shows one change of an entry. Before is null if it was created, after if it
// was deleted.
type staffChange struct {
	ID     string       `json:"id"`
	Action string       `json:"action"`
	Actor  *staffActor  `json:"actor"` // null: an operator at the command line
	Before *staffRights `json:"before"`
	After  *staffRights `json:"after"`
	At     domain.Time  `json:"at"`
}

type staffActor struct {
	ID   string  `json:"id"`
	Name *string `json:"name"` // null once the account is deleted
}

func viewChange(e staff.Event) staffChange {
	change := staffChange{
		ID: strconv.FormatInt(e.Position, 10), Action: e.Action,
		Before: viewRights(e.Before), After: viewRights(e.After), At: domain.Time(e.At),
	}
	if e.ActorID != "" {
		change.Actor = &staffActor{ID: e.ActorID, Name: domain.OrNull(e.ActorName)}
	}
	return change
}
