package http

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// Sessions is what signing in and out needs of the accounts.
type Sessions interface {
	SignIn(ctx context.Context, email, password string, address netip.Addr) (account.Session, error)
	SignOut(ctx context.Context, sessionID string) error
	Authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error)
}

// SessionArea is the routes of contract section 2 about one's own session.
type SessionArea struct {
	Sessions       Sessions
	BaseURL        *url.URL // https makes the cookie Secure
	TrustedProxies []netip.Prefix
}

func (a SessionArea) routes() []route {
	return []route{
		{http.MethodPost, "/users/sign-in", open, a.signIn},
		{http.MethodPost, "/users/sign-out", open, a.signOut},
		{http.MethodGet, "/users/session", open, a.session},
	}
}

// user is the account as its owner sees it.
type user struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Email       *string `json:"email"` // null for an account of the host platform that has none
	IsAdmin     bool    `json:"isAdmin"`
	IsModerator bool    `json:"isModerator"`
}

type userAnswer struct {
	User *user `json:"user"`
}

func answerUser(c *permission.Caller) userAnswer {
	if c == nil {
		return userAnswer{}
	}
	u := &user{ID: c.UserID, Name: c.Name, IsAdmin: c.Admin != nil, IsModerator: c.Moderator != nil}
	if c.Email != "" {
		u.Email = &c.Email
	}
	return userAnswer{User: u}
}

func (a SessionArea) signIn(w http.ResponseWriter, r *http.Request) error {
	b, err := readBody(w, r)
	if err != nil {
		return err
	}
	email, password := b.text("email"), b.text("password")
	if err := b.Err(); err != nil {
		return err
	}
	session, err := a.Sessions.SignIn(r.Context(), email, password, ClientAddress(r, a.TrustedProxies))
	if err != nil {
		return err
	}
	caller, err := a.Sessions.Authenticate(r.Context(), account.Credentials{SessionID: session.ID})
	if err != nil {
		return err
	}
	a.setCookie(w, session.ID, session.ExpiresAt)
	// A browser that signs in again leaves no session behind that nobody can end.
	if old, err := r.Cookie(SessionCookie); err == nil {
		if err := a.Sessions.SignOut(r.Context(), old.Value); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, answerUser(caller))
}

// signOut is open to guests: who has signed out already is answered alike.
func (a SessionArea) signOut(w http.ResponseWriter, r *http.Request) error {
	if cookie, err := r.Cookie(SessionCookie); err == nil {
		if err := a.Sessions.SignOut(r.Context(), cookie.Value); err != nil {
			return err
		}
	}
	a.setCookie(w, "", time.Unix(1, 0)) // long past: the browser forgets it
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a SessionArea) session(w http.ResponseWriter, r *http.Request) error {
	return writeJSON(w, http.StatusOK, answerUser(callerOf(r)))
}

func (a SessionArea) setCookie(w http.ResponseWriter, id string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: SessionCookie, Value: id, Path: "/", Expires: expires,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: a.BaseURL != nil && a.BaseURL.Scheme == "https",
	})
}
