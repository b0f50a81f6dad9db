package http

import (
	"net/http"
	"time"
)

// SessionCookie is the name of the session's cookie outside production.
const SessionCookie = "docket_session"

// sessionCookie returns the cookie's name. In production it begins with __Host-, with which
// browsers accept it only from this host over https, so that no other host of the domain can set
// it.
func sessionCookie(production bool) string {
	if production {
		return "__Host-" + SessionCookie
	}
	return SessionCookie
}

func (a SessionArea) forgetCookie(w http.ResponseWriter) {
	a.setCookie(w, "", time.Unix(1, 0)) // in the past, so that the browser deletes it
}

func (a SessionArea) setCookie(w http.ResponseWriter, id string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie(a.Production), Value: id, Path: "/", Expires: expires,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: a.BaseURL != nil && a.BaseURL.Scheme == "https",
	})
}
