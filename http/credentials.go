package http

import (
	"context"
	"net/http"
	"strings"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

type contextKey int

const (
	callerKey contextKey = iota
	credentialsKey
	admissionKey
	routeKey
)

func withCaller(ctx context.Context, c *permission.Caller) context.Context {
	return context.WithValue(ctx, callerKey, c)
}

func withCredentials(ctx context.Context, c account.Credentials) context.Context {
	return context.WithValue(ctx, credentialsKey, c)
}

// credentialsOf returns the credentials that came with the request.
func credentialsOf(r *http.Request) account.Credentials {
	c, _ := r.Context().Value(credentialsKey).(account.Credentials)
	return c
}

// admission finds the caller of a request, and what a filing reads in the same query, and checks
// their access to the route.
type admission func(*account.Filing) (*permission.Caller, error)

func withAdmission(ctx context.Context, admit admission) context.Context {
	return context.WithValue(ctx, admissionKey, admit)
}

// callerOf returns who sent the request. It is nil for a guest, whom only routes of levelOpen admit, and on routes of
// levelExempt.
func callerOf(r *http.Request) *permission.Caller {
	c, _ := r.Context().Value(callerKey).(*permission.Caller)
	return c
}

// coverage returns which reports the caller may view.
func coverage(r *http.Request) permission.Coverage {
	return callerOf(r).Coverage(permission.ViewReports)
}

// authenticate finds the caller; nil means a guest.
func (s *server) authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error) {
	if c == (account.Credentials{}) {
		return nil, nil
	}
	return s.Authenticator.Authenticate(ctx, c)
}

// readCredentials reads the cookie and the bearer token of a request.
func (s *server) readCredentials(r *http.Request) account.Credentials {
	var c account.Credentials
	if cookie, err := r.Cookie(sessionCookie(s.Production)); err == nil {
		c.SessionID = cookie.Value
	}
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		c.Bearer = strings.TrimSpace(token)
	}
	return c
}
