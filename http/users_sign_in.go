package http

import (
	"net/http"
	"net/netip"
	"net/url"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/quality"
)

// SessionArea has the routes of the caller's own session: signing in and out.
type SessionArea struct {
	Sessions       *account.Store
	BaseURL        *url.URL // https makes the cookie Secure
	TrustedProxies []netip.Prefix
	Production     bool           // the cookie belongs to this host alone
	PasswordsOff   bool           // only the provider signs people in
	OIDCName       string         // of the provider; "" without one
	Notices        bool           // notices by anybody are accepted
	Quality        *quality.Store // the settings of second opinions; nil means none
	DemoForum      bool           // the demo's forum is served: the front page shows it
}

func (a SessionArea) routes() []route {
	return []route{
		{http.MethodPost, "/users/sign-in", entrance, a.signIn},
		a.signInByFactorRoute(),
		{http.MethodPost, "/users/sign-out", entrance, a.signOut},
		a.sessionRoute(),
	}
}

// user is an account as its owner sees it.
type user struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Email       *string `json:"email"` // null if the account has none
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
	return userAnswer{&user{ID: c.UserID, Name: c.Name, Email: domain.OrNull(c.Email), IsAdmin: c.Admin != nil, IsModerator: c.Moderator != nil}}
}

func (a SessionArea) signIn(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	email, password := b.text("email"), b.text("password")
	if err := b.Err(); err != nil {
		return err
	}
	session, err := a.Sessions.SignIn(r.Context(), email, password, a.client(r))
	if err != nil {
		return err
	}
	if session.SecondStep != nil {
		return writeJSON(w, http.StatusOK, answerSecondStep(session.SecondStep))
	}
	return a.begin(w, r, session)
}

// begin sets the cookie of a new session and responds with its user.
func (a SessionArea) begin(w http.ResponseWriter, r *http.Request, session account.Session) error {
	caller, err := a.Sessions.Authenticate(r.Context(), account.Credentials{SessionID: session.ID})
	if err != nil {
		return err
	}
	if err := a.replaceSession(w, r, session); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, answerUser(caller))
}

// replaceSession gives the browser a session and ends its former one, which signing out could no
// longer end.
func (a SessionArea) replaceSession(w http.ResponseWriter, r *http.Request, session account.Session) error {
	a.setCookie(w, session.ID, session.ExpiresAt)
	return a.Sessions.SignOut(r.Context(), credentialsOf(r).SessionID)
}

// signOut is open to guests, so that it can be repeated.
func (a SessionArea) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := a.Sessions.SignOut(r.Context(), credentialsOf(r).SessionID); err != nil {
		return err
	}
	a.forgetCookie(w)
	return noContent(w, nil)
}

func (a SessionArea) client(r *http.Request) account.Client {
	return account.Client{Address: ClientAddress(r, a.TrustedProxies), UserAgent: r.UserAgent()}
}
