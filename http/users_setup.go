package http

import (
	"net/http"

	"github.com/docketmod/docket/platform/account"
)

func (a ResetArea) setUpRoute() route {
	return route{http.MethodPost, "/users/setup", open, a.setUp}
}

func (a ResetArea) setUp(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	token, n := b.text("token"), account.NewUser{Email: b.text("email"), Name: b.text("name"), Password: b.text("password")}
	if err := b.Err(); err != nil {
		return err
	}
	user, err := a.SetUp(r.Context(), token, n, a.Sessions.client(r))
	return answerJSON(w, http.StatusCreated, listUser(user), err)
}
