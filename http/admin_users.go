package http

import (
	"context"
	"net/http"
	"net/url"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

// UserArea has the admin routes of accounts.
type UserArea struct {
	Users   *account.Store
	Staff   *staff.Store // which says who may change whom
	BaseURL *url.URL     // of the links that invite
	// ResetFactors removes the second factors of an account if the actor has the permission.
	ResetFactors func(ctx context.Context, by staff.By, userID string) (account.User, error)
	// Delete deletes an account if the actor has the permission. Its reports stay.
	Delete func(ctx context.Context, by staff.By, userID string) error
}

func (a UserArea) routes() []route {
	manage := admin(permission.AreaUsersManage)
	return []route{
		{http.MethodGet, "/admin/users", admin(permission.AreaUsersManage, permission.AreaModerators, permission.AreaAdmins), a.list},
		{http.MethodPost, "/admin/users", manage, a.invite},
		{http.MethodPost, "/admin/users/{id}/disable", manage, a.setDisabled(true)},
		{http.MethodPost, "/admin/users/{id}/enable", manage, a.setDisabled(false)},
		{http.MethodPost, "/admin/users/{id}/trusted", manage, byID(a.setFlagger)},
		{http.MethodPost, "/admin/users/{id}/factors/reset", manage, byID(a.resetFactors)},
		{http.MethodDelete, "/admin/users/{id}", admin(permission.AreaUsersDelete), byID(a.delete)},
	}
}

// listedUser is an account as administrators see it.
type listedUser struct {
	ID           string      `json:"id"`
	Name         string      `json:"name"`
	Email        *string     `json:"email"`
	Disabled     bool        `json:"disabled"`
	SecondFactor bool        `json:"secondFactor"`
	Trusted      bool        `json:"trusted"`     // a trusted flagger
	TrustedName  *string     `json:"trustedName"` // of its organisation
	CreatedAt    domain.Time `json:"createdAt"`
}

func listUser(u account.User) listedUser {
	return listedUser{ID: u.ID, Name: u.Name, Email: domain.OrNull(u.Email), Disabled: u.Disabled, SecondFactor: u.SecondFactor,
		Trusted: u.Flagger != "", TrustedName: domain.OrNull(u.Flagger), CreatedAt: domain.Time(u.CreatedAt)}
}

func (a UserArea) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	search := q.search()
	request, err := q.page(account.UserList)
	if err != nil {
		return err
	}
	page, err := a.Users.ListUsers(r.Context(), search, request)
	return okJSON(w, paging.Map(page, listUser), err)
}

// invitedUser has the link of an invitation that was not mailed; it is shown once.
type invitedUser struct {
	listedUser
	Link *string `json:"link"`
}

func (a UserArea) invite(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	email, name := b.text("email"), b.text("name")
	b.add(account.CheckInvitation(email, name))
	if err := b.Err(); err != nil {
		return err
	}
	user, link, err := a.Users.Invite(r.Context(), email, name, languageOf(r), a.BaseURL)
	return answerJSON(w, http.StatusCreated, invitedUser{listUser(user), domain.OrNull(link)}, err)
}

func (a UserArea) setDisabled(disabled bool) handler {
	return byID(func(w http.ResponseWriter, r *http.Request, id string) error {
		user, err := a.Users.SetDisabled(r.Context(), id, disabled, func(ctx context.Context, tx pgx.Tx) error {
			return a.Staff.AllowDisabling(ctx, tx, by(r), id, disabled)
		})
		return okJSON(w, listUser(user), err)
	})
}

// setFlagger requires a name only to set the mark.
func (a UserArea) setFlagger(w http.ResponseWriter, r *http.Request, id string) error {
	b := readBody(w, r)
	trusted, name := b.boolean("trusted"), domain.OrEmpty(b.optionalText("name"))
	if trusted {
		b.add(account.CheckFlagger(name))
	}
	if err := b.Err(); err != nil {
		return err
	}
	if !trusted {
		name = ""
	}
	user, err := a.Users.SetFlagger(r.Context(), callerOf(r).UserID, id, name, func(ctx context.Context, tx pgx.Tx) error {
		return a.Staff.AllowMarking(ctx, tx, by(r))
	})
	return okJSON(w, listUser(user), err)
}

func (a UserArea) resetFactors(w http.ResponseWriter, r *http.Request, id string) error {
	user, err := a.ResetFactors(r.Context(), by(r), id)
	return okJSON(w, listUser(user), err)
}

func (a UserArea) delete(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Delete(r.Context(), by(r), id))
}
