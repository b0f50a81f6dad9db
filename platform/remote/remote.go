// Package remote connects plugins to platforms that hold their content elsewhere, in any language and any database.
// Docket posts signed requests below the platform's address and trusts no response. A missing, late, oversized or
// invalid response makes the platform unreachable for that request. After five consecutive requests without a response
// in time, or with a 5xx, a circuit breaker lets one request in ten seconds through and fails the others at once. Other
// modules must not import it.
package remote

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/egress"
)

// Settings are common to all platforms of a server.
type Settings struct {
	Log          zerolog.Logger
	Now          func() time.Time // nil means time.Now
	AllowPrivate bool             // reach loopback and private networks
	Locale       string           // for requests without one
	// Subject returns the platform's own id of an account, or "" if it has none there.
	Subject func(ctx context.Context, pluginID, userID string) (string, error)
}

// Platforms are the platforms that a server has connected.
type Platforms struct {
	settings Settings
	all      []*Platform
}

// New returns Platforms with none connected. Its method Connect is a registry.Connect.
func New(s Settings) *Platforms {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Subject == nil {
		s.Subject = func(context.Context, string, string) (string, error) { return "", nil }
	}
	return &Platforms{settings: s}
}

// Platform is a client of the platform that holds a plugin's content. It is safe for concurrent use.
type Platform struct {
	settings Settings
	pluginID string
	url      string // without a slash at its end
	exact    bool   // questions are posted to the url itself and not below it
	secrets  []Secret
	timeout  time.Duration
	http     *http.Client
	breaker  breaker
	health   *health
	states   states
}

// Secret signs requests, in the format of Standard Webhooks.
type Secret struct {
	Text  string
	Until time.Time // when it stops being valid after its replacement; zero for the present one
}

// Connect adds a platform. It sends no request yet.
func (p *Platforms) Connect(pluginID string, r plugin.Remote, secret string) registry.Platform {
	one := p.Open(pluginID, r, Secret{Text: secret})
	p.all = append(p.all, one)
	return one
}

// Open returns a platform that is not among those of All. It sends no request yet.
func (p *Platforms) Open(pluginID string, r plugin.Remote, secrets ...Secret) *Platform {
	o := egress.Options{Timeout: r.Timeout, KeepAlive: true}
	if p.settings.AllowPrivate {
		o.Allow = egress.Everywhere()
	}
	return &Platform{
		settings: p.settings, pluginID: pluginID, url: strings.TrimRight(r.URL, "/"), secrets: secrets, timeout: r.Timeout,
		http: egress.NewClient(o), health: &health{}, states: states{byID: map[stateKey]stateEntry{}},
	}
}

// Close closes the idle connections of a platform that is no longer used.
func (p *Platform) Close() { p.http.CloseIdleConnections() }

// goodSecrets returns the valid secrets to sign with. The platform has at least one of them.
func (p *Platform) goodSecrets(now time.Time) (texts []string) {
	for _, s := range p.secrets {
		if s.Until.IsZero() || now.Before(s.Until) {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// All returns the platforms in the order in which they were connected.
func (p *Platforms) All() []*Platform { return p.all }
