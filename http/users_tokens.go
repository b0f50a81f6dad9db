package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// madeToken is a token with its text, which is shown once.
type madeToken struct {
	account.Token
	Text string `json:"token"`
}

func (a AccountArea) tokenRoutes() []route {
	return []route{
		{http.MethodGet, "/users/tokens", ownPage, paged(account.TokenList, a.tokens)},
		{http.MethodPost, "/users/tokens", signedIn, a.createToken},
		{http.MethodDelete, "/users/tokens/{id}", ownPage, byID(a.revokeToken)},
		{http.MethodPost, "/users/tokens/end-all", ownPage, a.revokeTokens},
	}
}

func (a AccountArea) tokens(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Accounts.Tokens(r.Context(), callerOf(r).UserID, request)
	return okJSON(w, page, err)
}

func (a AccountArea) createToken(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	n := account.NewToken{Name: domain.OrEmpty(b.optionalText("name")), Use: permission.Use(domain.OrEmpty(b.optionalText("use")))}
	if expires := b.optionalText("expiresAt"); expires != nil {
		at, ok := parseTime(*expires)
		if !ok {
			b.fault("expiresAt", "wrong_type", "Must be a time as in RFC 3339.")
		}
		n.ExpiresAt = &at
	}
	b.add(n.Check(a.Now()))
	if err := b.Err(); err != nil {
		return err
	}
	text, token, err := a.Accounts.CreateOwnToken(r.Context(), callerOf(r), credentialsOf(r).SessionID, n)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, madeToken{token, text})
}

func (a AccountArea) revokeToken(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Accounts.RevokeOwnToken(r.Context(), callerOf(r).UserID, id))
}

func (a AccountArea) revokeTokens(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, a.Accounts.RevokeTokens(r.Context(), callerOf(r).UserID))
}
