// Package webhook sends public events to addresses that subscribe to them, signed
// as Standard Webhooks say. A consumer group enqueues one task a delivery; the queue
// does the sending, so nothing slow ever holds up events.
package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/netip"
	"time"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

// Webhook is one subscription.
type Webhook struct {
	ID             string
	PluginID       string
	Name           *string // of one that a plugin declares
	URL            string
	Events         []string     // names, or prefixes ending in *; none: every event
	Scope          *scope.Scope // nil: everywhere
	Enabled        bool
	DisabledAt     *time.Time
	DisabledReason *string
	FailingSince   *time.Time // no delivery has succeeded since
	CreatedAt      time.Time
	UpdatedAt      time.Time
	// Secret is there in the answer to its creation and never again.
	Secret string
}

// wants tells whether the subscription hears of the event; where it happened is
// asked for only when that matters.
func (w *Webhook) wants(e event.Event, where func() (scope.Resource, error)) (bool, error) {
	if w.PluginID != permission.CorePlugin && w.PluginID != e.PluginID {
		return false, nil
	}
	if !event.Matches(w.Events, e.Name) {
		return false, nil
	}
	if w.Scope == nil {
		return true, nil
	}
	resource, err := where()
	return err == nil && w.Scope.Covers(resource), err
}

// New is what a subscription is made of.
type New struct {
	PluginID string // "": Docket's own, which hears of every plugin's events
	URL      string
	Events   []string
	Scope    *scope.Scope
}

func (n New) subscription() event.Subscription {
	return event.Subscription{URL: n.URL, Events: n.Events, Scope: n.Scope}
}

// newSecret makes a signing secret of 256 bits in the form of Standard Webhooks.
func newSecret() (string, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", fmt.Errorf("make a secret: %w", err)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(key), nil
}

// Config tunes a Store; the zero value is good for a server.
type Config struct {
	Log zerolog.Logger
	Now func() time.Time // nil: time.Now
	// Allow are networks that deliveries may reach although they are private.
	Allow []netip.Prefix
	// AllowPrivate lets deliveries reach every network.
	AllowPrivate bool
	// RequireHTTPS refuses subscriptions in the clear, as production does.
	RequireHTTPS bool
	// Timeout bounds one delivery from dialling to the end of the answer. 0: 10 s.
	Timeout time.Duration
	// FailFor is how long a subscription may only fail before it is disabled. 0: 24 h.
	FailFor time.Duration
	// Wake is called when tasks were enqueued outside a listener. nil: nothing.
	Wake func()
}

// Store keeps subscriptions and their deliveries, and sends them.
type Store struct {
	pool   *pgxpool.Pool
	config Config
	sender *sender
}

// NewStore makes a Store.
func NewStore(pool *pgxpool.Pool, config Config) *Store {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Timeout <= 0 {
		config.Timeout = 10 * time.Second
	}
	if config.FailFor <= 0 {
		config.FailFor = 24 * time.Hour
	}
	if config.Wake == nil {
		config.Wake = func() {}
	}
	if config.AllowPrivate {
		config.Allow = prefixes("0.0.0.0/0", "::/0")
	}
	return &Store{pool: pool, config: config, sender: newSender(config.Allow, config.Timeout)}
}

func (s *Store) now() time.Time { return s.config.Now().UTC().Truncate(time.Microsecond) }

// Active tells for the list of integrations how many subscriptions are enabled.
func (s *Store) Active(ctx context.Context) (n int, err error) {
	err = s.pool.QueryRow(ctx, `SELECT count(*) FROM core_webhooks WHERE `+active).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count webhooks: %w", err)
	}
	return n, nil
}
