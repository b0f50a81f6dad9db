package http

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// OwnAccount is what a person does with their own account.
type OwnAccount interface {
	Rename(ctx context.Context, userID, name string) error
	ChangePassword(ctx context.Context, userID, sessionID, current, chosen string, c account.Client) error
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
	return []route{
		{http.MethodPost, "/users/name", signedIn, a.rename},
		{http.MethodPost, "/users/password", signedIn, a.changePassword},
		{http.MethodGet, "/users/sessions", signedIn, a.sessions},
		{http.MethodDelete, "/users/sessions/{id}", signedIn, a.endSession},
		{http.MethodPost, "/users/sessions/end-all", signedIn, a.endSessions},
		{http.MethodGet, "/users/tokens", signedIn, a.tokens},
		{http.MethodPost, "/users/tokens", signedIn, a.createToken},
		{http.MethodDelete, "/users/tokens/{id}", signedIn, a.revokeToken},
		{http.MethodPost, "/users/tokens/end-all", signedIn, a.revokeTokens},
	}
}

func (a AccountArea) rename(w http.ResponseWriter, r *http.Request) error {
	b, err := readBody(w, r)
	if err != nil {
		return err
	}
	name := b.text("name")
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Accounts.Rename(r.Context(), callerOf(r).UserID, name))
}

func (a AccountArea) changePassword(w http.ResponseWriter, r *http.Request) error {
	b, err := readBody(w, r)
	if err != nil {
		return err
	}
	current, chosen := b.text("current"), b.text("new")
	if err := b.Err(); err != nil {
		return err
	}
	err = a.Accounts.ChangePassword(r.Context(), callerOf(r).UserID, credentialsOf(r).SessionID, current, chosen, a.Sessions.client(r))
	return noContent(w, err)
}

// ownSession is a session in answers.
type ownSession struct {
	ID         string          `json:"id"`
	CreatedAt  moderation.Time `json:"createdAt"`
	LastUsedAt moderation.Time `json:"lastUsedAt"`
	ExpiresAt  moderation.Time `json:"expiresAt"`
	Address    *netip.Addr     `json:"address"`
	UserAgent  string          `json:"userAgent"`
	Current    bool            `json:"current"`
}

func (a AccountArea) sessions(w http.ResponseWriter, r *http.Request) error {
	request, err := account.SessionList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Accounts.Sessions(r.Context(), callerOf(r).UserID, credentialsOf(r).SessionID, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, paging.Map(page, func(s account.OwnSession) ownSession {
		return ownSession{s.ID, moderation.Time(s.CreatedAt), moderation.Time(s.LastUsedAt), moderation.Time(s.ExpiresAt), s.Address, s.UserAgent, s.Current}
	}))
}

func (a AccountArea) endSession(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	return noContent(w, a.Accounts.EndSession(r.Context(), callerOf(r).UserID, id))
}

// endSessions ends the session that asks too.
func (a AccountArea) endSessions(w http.ResponseWriter, r *http.Request) error {
	if err := a.Accounts.EndSessions(r.Context(), callerOf(r).UserID); err != nil {
		return err
	}
	a.Sessions.forgetCookie(w)
	return noContent(w, nil)
}

// ownToken is a token in answers.
type ownToken struct {
	ID         string           `json:"id"`
	Name       string           `json:"name"`
	Use        permission.Use   `json:"use"`
	CreatedAt  moderation.Time  `json:"createdAt"`
	ExpiresAt  *moderation.Time `json:"expiresAt"`
	LastUsedAt *moderation.Time `json:"lastUsedAt"`
	RevokedAt  *moderation.Time `json:"revokedAt"`
	Token      string           `json:"token,omitempty"` // its text, once
}

func viewToken(t account.Token) ownToken {
	return ownToken{t.ID, t.Name, t.Use, moderation.Time(t.CreatedAt), moderation.TimeOf(t.ExpiresAt), moderation.TimeOf(t.LastUsedAt), moderation.TimeOf(t.RevokedAt), ""}
}

func (a AccountArea) tokens(w http.ResponseWriter, r *http.Request) error {
	request, err := account.TokenList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Accounts.Tokens(r.Context(), callerOf(r).UserID, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, paging.Map(page, viewToken))
}

func (a AccountArea) createToken(w http.ResponseWriter, r *http.Request) error {
	b, err := readBody(w, r)
	if err != nil {
		return err
	}
	n := account.NewToken{}
	if name := b.optionalText("name"); name != nil {
		n.Name = *name
	}
	if use := b.optionalText("use"); use != nil {
		n.Use = permission.Use(*use)
	}
	if expires := b.optionalText("expiresAt"); expires != nil {
		at, err := time.Parse(time.RFC3339Nano, *expires)
		switch {
		case err != nil:
			b.fault("expiresAt", "wrong_type", "Must be a time as in RFC 3339.")
		case !at.After(a.Now()):
			b.fault("expiresAt", "invalid", "Must be in the future.")
		default:
			n.Expires = at.Sub(a.Now())
		}
	}
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

func (a AccountArea) revokeToken(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	return noContent(w, a.Accounts.RevokeOwnToken(r.Context(), callerOf(r).UserID, id))
}

func (a AccountArea) revokeTokens(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, a.Accounts.RevokeTokens(r.Context(), callerOf(r).UserID))
}

// noContent answers 204 unless there is an error.
func noContent(w http.ResponseWriter, err error) error {
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
