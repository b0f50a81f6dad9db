package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/permission"
)

// ownPermissions is GET users/permissions: the caller's moderator grants.
func (a *Staff) ownPermissions(w http.ResponseWriter, r *http.Request) error {
	answer := struct {
		Root        bool               `json:"root"`
		Permissions []permission.Grant `json:"permissions"`
	}{Permissions: []permission.Grant{}}
	if e := callerOf(r).Moderator; e != nil {
		rights := viewRights(e)
		answer.Root, answer.Permissions = rights.Unrestricted, rights.Permissions
	}
	return writeJSON(w, http.StatusOK, answer)
}

func (a *Staff) permissions(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, a.Catalog.Listing())
}
