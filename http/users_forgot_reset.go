package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/platform/account"
)

// ResetArea has the routes for people without a session who have a link, or request one.
type ResetArea struct {
	Links *account.Store
	// SetUp makes the first administrator.
	SetUp    func(ctx context.Context, token string, n account.NewUser, c account.Client) (account.User, error)
	Sessions SessionArea // its clients
}

func (a ResetArea) routes() []route {
	return []route{
		{http.MethodPost, "/users/forgot", open, a.forgot},
		{http.MethodPost, "/users/reset", open, a.reset},
		a.setUpRoute(),
	}
}

// forgot gives the same response whether the account exists or not.
func (a ResetArea) forgot(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	email := b.text("email")
	if err := b.Err(); err != nil {
		return err
	}
	return accepted(w, a.Links.Forgot(r.Context(), email, languageOf(r), a.Sessions.client(r)))
}

func (a ResetArea) reset(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	token, chosen := b.text("token"), b.text("password")
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Links.Reset(r.Context(), token, chosen, a.Sessions.client(r)))
}
