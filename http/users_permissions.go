package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// ownPermissions are the permissions of the caller's own entry of either kind.
type ownPermissions struct {
	Root        bool               `json:"root"`
	Permissions []permission.Grant `json:"permissions"`
}

func (a *Staff) ownPermissionsRoutes() []route {
	return []route{
		{http.MethodGet, "/users/permissions", signedIn, a.ownModeratorPermissions},
		{http.MethodGet, "/users/permissions/admin", signedIn, a.ownAdminPermissions},
	}
}

func (a *Staff) ownModeratorPermissions(w http.ResponseWriter, r *http.Request) error {
	return writeOwnPermissions(w, callerOf(r).Moderator)
}

func (a *Staff) ownAdminPermissions(w http.ResponseWriter, r *http.Request) error {
	return writeOwnPermissions(w, callerOf(r).Admin)
}

// writeOwnPermissions answers with no grants if there is no entry.
func writeOwnPermissions(w http.ResponseWriter, e *permission.Entry) error {
	if e == nil {
		e = &permission.Entry{}
	}
	return writeJSON(w, http.StatusOK, ownPermissions{e.Unrestricted, domain.OrNone(e.Grants)})
}
