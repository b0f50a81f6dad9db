// Package http is Docket's HTTP API: routes, middleware and the mapping of
// errors to answers. Handlers read a request, call one use case or query, and
// write its result; no rule is decided here.
package http

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/trace"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

// Base is the path that every route of the API begins with (contract section 1).
const Base = "/api/@platform/core"

// Authenticator finds who sends a request; a nil caller is a guest.
type Authenticator interface {
	Authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error)
}

// Config is what every part of the API needs.
type Config struct {
	BaseURL        *url.URL // trusted origin; https makes cookies Secure
	TrustedProxies []netip.Prefix
	Log            zerolog.Logger
	Metrics        *prometheus.Registry
	Tracing        trace.TracerProvider // nil: no spans
	Authenticator  Authenticator
	Ready          func(context.Context) error // nil error: database answers, migrations current
	Panel          http.Handler                // the web UI, beside /api; may be nil
	RequestTimeout time.Duration               // 0: DefaultRequestTimeout
}

// DefaultRequestTimeout is how long a request may take, but for those that set
// bounds of their own. Then the database counts as gone: it must end before the
// connection's time to write does, so that somebody hears of it.
const DefaultRequestTimeout = 50 * time.Second

// Area is a part of the API with routes of its own.
type Area interface{ routes() []route }

// New assembles the API from its areas.
func New(c Config, areas ...Area) http.Handler {
	if c.RequestTimeout <= 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	s := &server{Config: c}
	s.router = s.newRouter(areas)
	return s.wrap(s.withOperations(s.router))
}

// NewServer gives a listener's server its bounds, so that a slow or silent
// client cannot hold a connection for ever. Streams extend their own deadline.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
}
