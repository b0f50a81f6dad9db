package http

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// OwnAccount is what a person does with their own account.
type OwnAccount interface {
	Rename(ctx context.Context, userID, name string) error
	ChangePassword(ctx context.Context, userID, sessionID, current, chosen string, keepTokens bool, c account.Client) error
	Sessions(ctx context.Context, userID, current string, r paging.Request) (paging.Page[account.OwnSession], error)
	EndSession(ctx context.Context, userID, id string) error
	EndSessions(ctx context.Context, userID string) error
	Tokens(ctx context.Context, userID string, r paging.Request) (paging.Page[account.Token], error)
	CreateOwnToken(ctx context.Context, caller *permission.Caller, n account.NewToken) (string, account.Token, error)
	RevokeOwnToken(ctx context.Context, userID, id string) error
	RevokeTokens(ctx context.Context, userID string) error
}

// AccountArea is the routes of one's own name, password, sessions and tokens.
type AccountArea struct {
	Accounts OwnAccount
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
