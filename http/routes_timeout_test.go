package http_test

import (
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
)

// authenticator is any way to find the caller.
type authenticator func(ctx context.Context) (*permission.Caller, error)

func (a authenticator) Authenticate(ctx context.Context, _ account.Credentials) (*permission.Caller, error) {
	return a(ctx)
}

func TestARequestThatFindsTheDatabaseSilentIsAnswered(t *testing.T) {
	t.Parallel()
	silent := authenticator(func(ctx context.Context) (*permission.Caller, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	api := http.New(http.Config{Log: zerolog.Nop(), Authenticator: silent, RequestTimeout: time.Nanosecond}, http.SessionArea{})
	r := httptest.NewRequest(nethttp.MethodGet, http.Base+"/users/session", nil)
	r.Header.Set("Cookie", "docket_session=any")
	w := httptest.NewRecorder()

	api.ServeHTTP(w, r)

	require.Equal(t, nethttp.StatusServiceUnavailable, w.Code)
	require.Contains(t, w.Body.String(), `"unavailable"`)
	require.NotEmpty(t, w.Header().Get("Retry-After"))
}

// Whatever a request waits for, it ends before its connection does.
func TestEveryRequestIsBounded(t *testing.T) {
	t.Parallel()
	boundsItself := map[string]bool{
		"POST " + core + "/cron":                     true,
		"GET " + core + "/embed/report.js":           true, // it asks nothing of anybody
		"GET " + core + "/moderation/live":           true,
		"POST " + core + "/admin/advanced/cron/{id}": true,
	}
	var bounded bool
	api := http.WithAuthenticator(newBundle(t).api, authenticator(func(ctx context.Context) (*permission.Caller, error) {
		deadline, set := ctx.Deadline()
		bounded = set && time.Until(deadline) < http.NewServer(nil).WriteTimeout
		return nil, domain.Errorf(domain.CodeUnauthorized, "nobody")
	}))
	for _, route := range http.Table(api) {
		bounded = false
		r := httptest.NewRequest(route.Method, strings.NewReplacer(":[a-z][a-z0-9_-]*", "", "{", "", "}", "").Replace(route.Path), nil)
		r.Host = "docket.test"
		r.Header.Set("Cookie", "docket_session=any")
		r.Header.Set("Content-Type", "application/json")
		api.ServeHTTP(httptest.NewRecorder(), r)
		require.Equal(t, !boundsItself[route.Method+" "+route.Path], bounded, "%s %s", route.Method, route.Path)
	}
}
