package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// Users lists accounts.
type Users interface {
	ListUsers(ctx context.Context, search string, r paging.Request) (paging.Page[account.User], error)
}

// UserArea is the administration of accounts (contract sections 2 and 12).
type UserArea struct {
	Users Users
	// Delete deletes an account if the actor may; its reports stay.
	Delete func(ctx context.Context, actorID, userID string) error
}

func (a UserArea) routes() []route {
	return []route{
		{http.MethodGet, "/admin/users", staffManager, a.list},
		{http.MethodDelete, "/admin/users/{id}", admin(permission.AreaUsersDelete), a.delete},
	}
}

type listedUser struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"`
}

func (a UserArea) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	search, issues := searchText(query)
	request, err := account.UserList.Parse(query, issues...)
	if err != nil {
		return err
	}
	page, err := a.Users.ListUsers(r.Context(), search, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, paging.Map(page, func(u account.User) listedUser {
		listed := listedUser{ID: u.ID, Name: u.Name}
		if u.Email != "" {
			listed.Email = &u.Email
		}
		return listed
	}))
}

func (a UserArea) delete(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	if err := a.Delete(r.Context(), callerOf(r).UserID, id); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
