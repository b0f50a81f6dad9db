package manifest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/egress"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/platform/sealing"
)

// poll is the interval at which a server looks for changes by others.
const poll = time.Second

// Settings are what Connections need from a server.
type Settings struct {
	Log          zerolog.Logger
	RequireHTTPS bool   // refuse platforms at http addresses, as in production
	AllowPrivate bool   // also fetch the keys of issuers from private networks
	Issuer       string // of the host platform, which no other issuer may claim to be
	// Changed is called after each change, never concurrently, with what is now served: the messages of
	// plugins, the issuers of JWTs by name, and the ids of the stored platforms, including those that
	// are off.
	Changed func(messages map[string]map[string]string, issuers map[string]account.PlatformIssuer, ids []string)
}

// Connections are the platforms of a server: those of files, and the stored ones. Requests read the served platforms
// without a lock or a query.
type Connections struct {
	store     *Store
	live      *registry.Changeable
	platforms *remote.Platforms
	settings  Settings
	declared  map[string]account.PlatformIssuer // of the plugins that the server was started with

	mu   sync.Mutex // held while the served platforms change
	mark string
	now  atomic.Pointer[[]*connection] // sorted by id
}

// State says whether a platform is served.
type State string

// The states. A faulty platform has a manifest with faults, conflicts with this server's other plugins, or has a secret
// that this server cannot decrypt.
const (
	Serving State = "serving"
	Faulty  State = "faulty"
	Off     State = "off"
)

// connection is a stored platform on this server.
type connection struct {
	Stored
	declared *registry.Declaration
	secrets  []remote.Secret
	faults   registry.Faults
	serving
}

// serving has what serves a platform; it is empty unless the platform is served.
type serving struct {
	platform  *remote.Platform
	providers []*remote.Provider
	issuer    *account.HostVerifier
}

func (s serving) close() {
	if s.platform == nil {
		return
	}
	s.platform.Close()
	for _, p := range s.providers {
		p.Close()
	}
}

func (c *connection) state() State {
	switch {
	case c.Off:
		return Off
	case c.platform == nil:
		return Faulty
	}
	return Serving
}

// NewConnections returns Connections that serve no stored platform before the first Refresh.
func NewConnections(store *Store, live *registry.Changeable, platforms *remote.Platforms, s Settings) (*Connections, error) {
	c := &Connections{store: store, live: live, platforms: platforms, settings: s, declared: map[string]account.PlatformIssuer{}}
	c.now.Store(&[]*connection{})
	for _, p := range live.Plugins() {
		if p.Issuer == nil {
			continue
		}
		v, err := verifier(p, nil)
		if err == nil && p.Issuer.Issuer == s.Issuer {
			err = errors.New("it is AUTH_ISSUER")
		}
		if err != nil {
			return nil, fmt.Errorf("issuer of plugin %s: %w", p.ID, err)
		}
		c.declared[p.Issuer.Issuer] = account.PlatformIssuer{PluginID: p.ID, Verifier: v}
	}
	return c, nil
}

// Run applies changes until ctx ends. If the database does not respond, the served platforms stay.
func (c *Connections) Run(ctx context.Context) {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := c.Refresh(ctx); err != nil && ctx.Err() == nil {
			c.settings.Log.Warn().Err(err).Msg("changes of platforms could not be read; this server serves those that it has")
		}
	}
}

// Refresh serves the platforms as they are stored, except those with faults.
func (c *Connections) Refresh(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	mark, err := c.store.Mark(ctx)
	if err != nil || mark == c.mark {
		return err
	}
	stored, err := c.store.Newest(ctx)
	if err != nil {
		return err
	}
	secrets, err := c.store.Secrets(ctx)
	if err != nil {
		return err
	}
	before := *c.now.Load()
	next := domain.Map(stored, func(p Stored) *connection { return c.connect(p, secrets[p.ID], before) })
	var kept []registry.Kept
	c.together(next, func(one *connection) {
		kept = append(kept, registry.Kept{Declaration: one.declared, Platform: one.platform})
	})
	// This must be stored before anybody of a new issuer can sign in.
	if err := c.store.NoteIssuers(ctx, c.ownIssuers(next)); err != nil {
		return err
	}
	messages := c.live.Connect(kept...)
	c.mark = mark
	c.now.Store(&next)
	c.settings.Changed(messages, c.issuers(next), ids(next))
	for _, old := range before {
		if !slices.ContainsFunc(next, func(n *connection) bool { return n.platform == old.platform }) {
			old.close()
		}
	}
	for _, one := range next {
		if one.state() == Faulty {
			c.settings.Log.Error().Str("plugin_id", one.ID).Int("version", one.Version).Int("faults", len(one.faults)).Msg("a platform is not served: its manifest has faults on this server")
		}
	}
	return nil
}

// connect returns a stored platform, and reuses what served it before if that has not changed.
func (c *Connections) connect(p Stored, secrets []remote.Secret, before []*connection) *connection {
	one := &connection{Stored: p, secrets: secrets}
	old := find(before, p.ID)
	if old != nil && old.Manifest == p.Manifest {
		one.declared = old.declared
	} else {
		one.declared = c.parse(p.ID, p.Manifest)
	}
	if p.Off {
		return one
	}
	if len(secrets) == 0 {
		one.faults = registry.Faults{{File: one.declared.Origin(), Path: "remote", Message: "the secret was sealed with a key that DOCKET_SECRETS_KEY does not hold"}}
		return one
	}
	if old != nil && old.platform != nil && old.Version == p.Version && slices.Equal(old.secrets, secrets) {
		one.serving = old.serving
		return one
	}
	if one.declared.Remote != nil {
		one.platform = c.platforms.Open(p.ID, *one.declared.Remote, secrets...)
		if old != nil && old.platform != nil {
			one.platform.TakeOver(old.platform)
		}
		one.providers = c.open(one)
	}
	if i := one.declared.Issuer; i != nil {
		if old != nil && old.issuer != nil && *old.declared.Issuer == *i {
			one.issuer = old.issuer // with its keys
		} else {
			one.issuer, _ = verifier(one.declared, c.keysEgress()) // nil with faults, which the check names
		}
	}
	return one
}

// open returns the providers of a platform.
func (c *Connections) open(one *connection) (all []*remote.Provider) {
	for _, p := range one.declared.Providers {
		secrets := slices.Clone(one.secrets)
		for i := range secrets {
			secrets[i].Text = providerSecret(secrets[i].Text, p.Name)
		}
		all = append(all, c.platforms.OpenProvider(one.ID, p, secrets...))
	}
	return all
}

// providerSecret derives a provider's secret from its platform's, so that only the latter is stored and replaced.
func providerSecret(secret, name string) string { return sealing.Derive(secret, "provider "+name) }

// verifier returns the verifier of JWTs by a plugin's issuer.
func verifier(p *registry.Declaration, o *egress.Options) (*account.HostVerifier, error) {
	return account.NewHostVerifier(account.HostConfig{JWKSURL: p.Issuer.JWKSURL, Issuer: p.Issuer.Issuer, Audience: p.Issuer.Audience, Egress: o})
}

// keysEgress restricts the addresses from which keys of issuers in stored manifests are fetched.
func (c *Connections) keysEgress() *egress.Options {
	o := &egress.Options{}
	if c.settings.AllowPrivate {
		o.Allow = egress.Everywhere()
	}
	return o
}

// together calls serve for the platforms that have no faults together with the plugins and the platforms before them,
// and records the faults of the others.
func (c *Connections) together(all []*connection, serve func(*connection)) {
	served := slices.Clone(c.live.Plugins())
	for _, one := range all {
		if one.Off || len(one.faults) > 0 {
			continue
		}
		if one.faults = registry.FaultsOf(one.declared, served...); len(one.faults) > 0 {
			one.serving = serving{}
			continue
		}
		served = append(served, one.declared)
		serve(one)
	}
}

// parse parses a manifest and adds the faults that depend on the server's settings.
func (c *Connections) parse(id, text string) *registry.Declaration {
	p := registry.ParseKept("platform "+id, []byte(text))
	if id != "" && p.ID != id && p.ID != "" {
		p.AddFault("id", "the manifest is of %q, and this platform is %q", p.ID, id)
	}
	secure := func(path, address string) {
		if c.settings.RequireHTTPS && strings.HasPrefix(strings.ToLower(address), "http:") {
			p.AddFault(path, "this must begin with https in production")
		}
	}
	if p.Remote != nil {
		secure("remote.url", p.Remote.URL)
	}
	for i, provider := range p.Providers {
		secure(fmt.Sprintf("providers[%d].url", i), provider.URL)
	}
	if p.Issuer != nil && p.Issuer.Issuer != "" && p.Issuer.Issuer == c.settings.Issuer {
		p.AddFault("issuer.issuer", "%q is AUTH_ISSUER, whose tokens are those of the host platform", p.Issuer.Issuer)
	}
	return p
}

// issuers returns the issuers of all platforms, by name.
func (c *Connections) issuers(kept []*connection) map[string]account.PlatformIssuer {
	all := maps.Clone(c.declared)
	for _, one := range kept {
		if one.platform != nil && one.issuer != nil {
			all[one.declared.Issuer.Issuer] = account.PlatformIssuer{PluginID: one.ID, Verifier: one.issuer}
		}
	}
	return all
}

func ids(all []*connection) []string {
	return domain.Map(all, func(one *connection) string { return one.ID })
}

func find(all []*connection, id string) *connection {
	if i := slices.IndexFunc(all, func(one *connection) bool { return one.ID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// Providers returns the providers of the stored platforms that are served.
func (c *Connections) Providers() (all []*remote.Provider) {
	for _, one := range *c.now.Load() {
		all = append(all, one.providers...)
	}
	return all
}

// Health returns how the stored platforms and their providers have responded to this server.
func (c *Connections) Health() (all []remote.Health) {
	for _, one := range *c.now.Load() {
		if one.platform != nil {
			all = append(all, one.platform.Health())
		}
		for _, p := range one.providers {
			all = append(all, p.Health())
		}
	}
	return all
}
