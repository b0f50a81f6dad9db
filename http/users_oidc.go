package http

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account"
)

// OIDCArea has the routes for signing in with the organisation's identity provider. A browser is
// redirected to the provider, back to the callback, and then to where it came from. Until then a
// cookie stores the state of the sign-in.
type OIDCArea struct {
	Provider *account.OIDC // nil: there is none, and the routes are not found
	// SignIn completes a sign-in.
	SignIn func(ctx context.Context, login account.Login, r account.Returned, redirect string, c account.Client) (account.Session, error)
	// Sessions has the cookie of the session.
	Sessions SessionArea
}

func (a OIDCArea) routes() []route {
	return []route{
		{http.MethodGet, "/users/oidc/start", open, a.start},
		{http.MethodGet, "/users/oidc/callback", open, a.callback},
	}
}

// loginLifetime is how long a person may take at the provider.
const loginLifetime = 10 * time.Minute

func (a OIDCArea) start(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	next := q.text("next")
	if err := q.Err(); err != nil {
		return err
	}
	if a.Provider == nil {
		return notFound()
	}
	if !localPath(next) {
		return domain.Invalid(domain.Issue{Path: "next", Code: "invalid", Message: "Must be a path of this server."})
	}
	login, address, err := a.Provider.Begin(r.Context(), a.redirect(), next)
	if err != nil {
		return a.fail(w, r, next, err)
	}
	encoded, err := json.Marshal(login)
	if err != nil {
		return err
	}
	a.setLogin(w, base64.RawURLEncoding.EncodeToString(encoded), time.Now().Add(loginLifetime))
	http.Redirect(w, r, address, http.StatusSeeOther) //nolint:gosec // the provider's own address, from its configuration
	return nil
}

func (a OIDCArea) callback(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	returned := account.Returned{State: q.text("state"), Code: q.text("code"), Error: q.text("error"), Issuer: q.text("iss")}
	if err := q.Err(); err != nil {
		return err
	}
	if a.Provider == nil {
		return notFound()
	}
	// The code works once, so the request must not be repeated when the database fails.
	postgres.AddWrites(r.Context(), 1)
	login := a.login(r)
	a.setLogin(w, "", time.Unix(1, 0))
	session, err := a.SignIn(r.Context(), login, returned, a.redirect(), a.Sessions.client(r))
	if err != nil {
		return a.fail(w, r, login.Next, err)
	}
	if err := a.Sessions.replaceSession(w, r, session); err != nil {
		return err
	}
	http.Redirect(w, r, cmp.Or(login.Next, "/"), http.StatusSeeOther)
	return nil
}

// fail redirects a browser to the sign-in page, which explains the error, and returns the error to
// other clients.
func (a OIDCArea) fail(w http.ResponseWriter, r *http.Request, next string, err error) error {
	code := domain.ErrorCode(err)
	if !strings.Contains(r.Header.Get("Accept"), "text/html") || code == "" {
		return err
	}
	zerolog.Ctx(r.Context()).Warn().Err(err).Msg("a sign-in by the identity provider failed")
	failed := url.Values{"oidc": {string(code)}}
	if next != "" {
		failed.Set("next", next)
	}
	http.Redirect(w, r, "/sign-in?"+failed.Encode(), http.StatusSeeOther)
	return nil
}

func (a OIDCArea) redirect() string {
	return a.Sessions.BaseURL.Scheme + "://" + a.Sessions.BaseURL.Host + Base + "/users/oidc/callback"
}

func (a OIDCArea) cookieName() string {
	if a.Sessions.Production {
		return "__Host-docket_oidc"
	}
	return "docket_oidc"
}

func (a OIDCArea) setLogin(w http.ResponseWriter, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: a.cookieName(), Value: value, Path: "/", Expires: expires,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: a.Sessions.BaseURL.Scheme == "https",
	})
}

// login reads the cookie. Without a valid one it returns a login that matches nothing.
func (a OIDCArea) login(r *http.Request) (login account.Login) {
	cookie, err := r.Cookie(a.cookieName())
	if err != nil {
		return login
	}
	encoded, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || json.Unmarshal(encoded, &login) != nil || !localPath(login.Next) {
		return account.Login{}
	}
	return login
}

// maxNext bounds the path to return to, so that it fits into the cookie.
const maxNext = 2000

// localPath reports whether a browser resolves a path to this server. It does so for the empty
// path.
func localPath(path string) bool {
	if path == "" {
		return true
	}
	u, err := url.Parse(path)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && len(path) <= maxNext &&
		strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && !strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f })
}
