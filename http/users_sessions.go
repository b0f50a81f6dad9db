package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/platform/account"
)

func (a AccountArea) sessionRoutes() []route {
	return []route{
		{http.MethodGet, "/users/sessions", ownPage, paged(account.SessionList, a.sessions)},
		{http.MethodDelete, "/users/sessions/{id}", ownPage, byID(a.endSession)},
		{http.MethodPost, "/users/sessions/end-all", ownPage, a.endSessions},
	}
}

func (a AccountArea) sessions(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Accounts.Sessions(r.Context(), callerOf(r).UserID, credentialsOf(r).SessionID, request)
	return okJSON(w, page, err)
}

func (a AccountArea) endSession(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Accounts.EndSession(r.Context(), callerOf(r).UserID, id))
}

// endSessions also ends the session of the request.
func (a AccountArea) endSessions(w http.ResponseWriter, r *http.Request) error {
	if err := a.Accounts.EndSessions(r.Context(), callerOf(r).UserID); err != nil {
		return err
	}
	a.Sessions.forgetCookie(w)
	return noContent(w, nil)
}

// sessionAnswer is the user, or a guest, with the ways to sign in and the content of the front
// page.
type sessionAnswer struct {
	userAnswer
	SignIn struct {
		Passwords bool          `json:"passwords"`
		OIDC      *oidcProvider `json:"oidc"` // null without a provider
	} `json:"signIn"`
	DemoForum bool `json:"demoForum"`
	// Notices is true if notices by anybody are accepted. It is absent otherwise.
	Notices bool `json:"notices,omitempty"`
	// Seconds tells moderators that second opinions are or were enabled. It is absent otherwise.
	Seconds bool `json:"seconds,omitempty"`
	// FactorRequired means that this session reaches only its own account until it has a second factor.
	FactorRequired bool `json:"factorRequired"`
}

type oidcProvider struct {
	Name string `json:"name"`
}

func (a SessionArea) sessionRoute() route {
	return route{http.MethodGet, "/users/session", entrance, a.session}
}

func (a SessionArea) session(w http.ResponseWriter, r *http.Request) error {
	answer := sessionAnswer{userAnswer: answerUser(callerOf(r))}
	answer.SignIn.Passwords, answer.DemoForum, answer.Notices = !a.PasswordsOff, a.DemoForum, a.Notices
	c := callerOf(r)
	if c != nil {
		answer.FactorRequired = c.LacksFactor
	}
	if c != nil && c.Moderator != nil && a.Quality != nil {
		var err error
		if answer.Seconds, err = a.Quality.EverDrew(r.Context()); err != nil {
			return err
		}
	}
	if a.OIDCName != "" {
		answer.SignIn.OIDC = &oidcProvider{a.OIDCName}
	}
	return writeJSON(w, http.StatusOK, answer)
}
