package http

import (
	"net/http"
	"slices"
	"time"

	"github.com/docketmod/docket/platform/account"
)

// AccountArea has the routes of one's own name, password, sessions and tokens.
type AccountArea struct {
	Accounts *account.Store
	Sessions SessionArea // its cookie and its clients
	Now      func() time.Time
}

func (a AccountArea) routes() []route {
	return slices.Concat([]route{
		{http.MethodPost, "/users/name", ownPage, a.rename},
		{http.MethodPost, "/users/password", ownPage, a.changePassword},
	}, a.sessionRoutes(), a.tokenRoutes())
}

func (a AccountArea) rename(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	name := b.text("name")
	b.add(account.CheckName(name))
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Accounts.Rename(r.Context(), callerOf(r).UserID, name))
}

func (a AccountArea) changePassword(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	current, chosen, keepTokens := b.text("current"), b.text("new"), b.optionalBoolean("keepTokens")
	b.add(account.CheckPasswordChange(current, chosen, callerOf(r).Email))
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Accounts.ChangePassword(r.Context(), callerOf(r).UserID, credentialsOf(r).SessionID, current, chosen, keepTokens, a.Sessions.client(r)))
}
