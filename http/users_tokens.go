package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// ownToken is a token in answers.
type ownToken struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Use        permission.Use `json:"use"`
	CreatedAt  domain.Time    `json:"createdAt"`
	ExpiresAt  *domain.Time   `json:"expiresAt"`
	LastUsedAt *domain.Time   `json:"lastUsedAt"`
	RevokedAt  *domain.Time   `json:"revokedAt"`
	Token      string         `json:"token,omitempty"` // its text, once
}

func viewToken(t account.Token) ownToken {
	return ownToken{t.ID, t.Name, t.Use, domain.Time(t.CreatedAt), domain.TimeOf(t.ExpiresAt), domain.TimeOf(t.LastUsedAt), domain.TimeOf(t.RevokedAt), ""}
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
	return okJSON(w, paging.Map(page, viewToken), err)
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
	text, token, err := a.Accounts.CreateOwnToken(r.Context(), callerOf(r), n)
	if err != nil {
		return err
	}
	view := viewToken(token)
	view.Token = text
	return writeJSON(w, http.StatusCreated, view)
}

func (a AccountArea) revokeToken(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Accounts.RevokeOwnToken(r.Context(), callerOf(r).UserID, id))
}

func (a AccountArea) revokeTokens(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, a.Accounts.RevokeTokens(r.Context(), callerOf(r).UserID))
}
