package http

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/platform/account"
)

// maxUserSearch bounds a search, in bytes.
const maxUserSearch = 200

// Users lists accounts.
type Users interface {
	ListUsers(ctx context.Context, search string, r paging.Request) (paging.Page[account.User], error)
}

// UserArea is the list of accounts for picking a moderator (contract section 12).
type UserArea struct{ Users Users }

func (a UserArea) routes() []route {
	return []route{{http.MethodGet, "/admin/users", admin("staff", "can_manage_moderators"), a.list}}
}

type listedUser struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Email *string `json:"email"`
}

func (a UserArea) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	search := query.Get("search")
	var issues []domain.Issue
	if len(search) > maxUserSearch || !utf8.ValidString(search) || strings.ContainsRune(search, 0) {
		issues = append(issues, domain.Issue{Path: "search", Code: "invalid_text", Message: "A search is valid UTF-8 of at most 200 bytes."})
	}
	request, err := account.UserList.Parse(query, issues...)
	if err != nil {
		return err
	}
	page, err := a.Users.ListUsers(r.Context(), search, request)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, paging.Map(page, func(u account.User) listedUser {
		listed := listedUser{ID: u.ID, Name: u.Name}
		if u.Email != "" {
			listed.Email = &u.Email
		}
		return listed
	}))
	return nil
}
