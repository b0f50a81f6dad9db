// Package http is Docket's HTTP API: routes, middleware and the mapping of errors to responses. Handlers read a
// request, call one use case or query, and write its result; they contain no rules. Other modules must not import it.
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

// Base is the prefix of every route of the API.
const Base = "/api/@platform/core"

// Authenticator finds who sends a request. A nil caller is a guest.
type Authenticator interface {
	Authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error)
}

// Config has what every part of the API needs.
type Config struct {
	BaseURL        *url.URL // the trusted origin; https makes cookies Secure
	TrustedProxies []netip.Prefix
	CORSOrigins    []string // sites that may call a few routes from a browser
	Production     bool     // binds the session's cookie to this host, sends HSTS, and leaves the check of hosts to the proxy
	PrivateMetrics bool     // /metrics is on a listener of its own, see NewMetricsHandler
	Log            zerolog.Logger
	Metrics        *prometheus.Registry
	Tracing        trace.TracerProvider // nil means that there are no spans
	Authenticator  Authenticator
	Ready          func(context.Context) error // returns nil if the database answers and migrations are current
	// OnUntrustedProxy, unless nil, is called at most once a minute when a peer that is
	// no trusted proxy sends X-Forwarded-For.
	OnUntrustedProxy func()
	Panel            http.Handler  // the control panel, beside /api; may be nil
	RequestTimeout   time.Duration // 0 means DefaultRequestTimeout
	// Reconnect closes the idle connections of all pools of package postgres. Unless it is nil,
	// requests whose connection is lost are repeated.
	Reconnect func()
}

// DefaultRequestTimeout is how long a request may take, unless its route sets its own limit. After
// that the response is 503. It must be shorter than the connection's write timeout, so that the
// client gets this response.
const DefaultRequestTimeout = 50 * time.Second

// Area is a group of routes of the API.
type Area interface{ routes() []route }

// New assembles the API from its areas.
func New(c Config, areas ...Area) http.Handler {
	if c.RequestTimeout <= 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	s := &server{Config: c}
	s.router = s.newRouter(areas)
	s.Handler = s.wrap(s.withOperations(s.router))
	return s
}

// NewServer returns a server with time limits, so that a slow or silent client cannot hold
// a connection for ever. Streams extend their own deadline.
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
