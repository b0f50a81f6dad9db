package manifest

import (
	"context"
	"errors"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/remote"
)

// maxPlatforms bounds the stored platforms, since each change checks all of them together.
const maxPlatforms = 100

// Check returns every fault of a manifest in the presence of this server's other plugins. If there is none, notes names
// the fields that reports will not store.
func (c *Connections) Check(text string) (faults, notes registry.Faults) {
	p := c.parse("", text)
	all := domain.Map(*c.now.Load(), func(one *connection) Stored { return one.Stored })
	if faults = c.faultsBeside(p, p.ID, all); len(faults) > 0 {
		return faults, nil
	}
	return nil, registry.NotKept(p)
}

// faultsBeside returns the faults of a declaration that replaces the platform with the id.
func (c *Connections) faultsBeside(p *registry.Declaration, id string, all []Stored) registry.Faults {
	var others []*connection
	known := *c.now.Load()
	for _, s := range all {
		if s.ID == id || s.Off {
			continue
		}
		other := &connection{Stored: s}
		if one := find(known, s.ID); one != nil && one.Version == s.Version {
			other.declared = one.declared
		} else {
			other.declared = c.parse(s.ID, s.Manifest)
		}
		others = append(others, other)
	}
	served := slices.Clone(c.live.Plugins())
	c.together(others, func(one *connection) { served = append(served, one.declared) })
	return registry.FaultsOf(p, served...)
}

// Secrets are the secrets that a change of a platform created: of a new platform, and of its new providers. They are
// shown only once.
type Secrets struct {
	Platform  string // "" for an existing one
	Providers []ProviderSecret
}

// ProviderSecret signs the requests to a provider.
type ProviderSecret struct {
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

// Put stores a manifest as the next version of a platform. expected is the version that the caller has read: 0 for a
// new platform, nil for any. Put returns the faults as a registry.Faults, not_found or conflict if the platform is not
// at the expected version, and invalid_state for a platform that a file declares or beyond maxPlatforms.
func (c *Connections) Put(ctx context.Context, actor, id, text string, expected *int) (Secrets, error) {
	return c.write(ctx, actor, id, func(_ context.Context, _ postgres.Querier, now *Stored, all []Stored) (*Draft, error) {
		switch {
		case expected != nil && *expected != 0 && now == nil:
			return nil, domain.NotFound()
		case expected != nil && now != nil && *expected == 0:
			return nil, domain.Errorf(domain.CodeConflict, "A platform with this id is connected already.")
		case expected != nil && now != nil && *expected != now.Version:
			return nil, domain.Errorf(domain.CodeConflict, "Somebody else has changed the platform.")
		case now == nil && len(all) >= maxPlatforms:
			return nil, domain.Errorf(domain.CodeInvalidState, "There are %d platforms, and no more can be kept.", len(all))
		}
		if faults := c.faultsBeside(c.parse(id, text), id, all); len(faults) > 0 {
			return nil, faults
		}
		if now != nil && now.Manifest == text {
			return nil, nil
		}
		return &Draft{Manifest: text, Off: now != nil && now.Off}, nil
	})
}

// Switch turns a platform off or on, or returns not_found. A platform with faults cannot be turned on.
func (c *Connections) Switch(ctx context.Context, actor, id string, off bool) (Secrets, error) {
	return c.write(ctx, actor, id, func(_ context.Context, _ postgres.Querier, now *Stored, all []Stored) (*Draft, error) {
		if now == nil {
			return nil, domain.NotFound()
		}
		if now.Off == off {
			return nil, nil
		}
		if !off {
			if faults := c.faultsBeside(c.parse(id, now.Manifest), id, all); len(faults) > 0 {
				return nil, faults
			}
		}
		return &Draft{Manifest: now.Manifest, Off: off}, nil
	})
}

// Restore stores the manifest of an earlier version as the next one, or returns not_found.
func (c *Connections) Restore(ctx context.Context, actor, id string, version int) (Secrets, error) {
	return c.write(ctx, actor, id, func(ctx context.Context, db postgres.Querier, now *Stored, all []Stored) (*Draft, error) {
		text, err := manifestOf(ctx, db, id, version)
		if err != nil {
			return nil, err
		}
		if text == now.Manifest {
			return nil, nil
		}
		if faults := c.faultsBeside(c.parse(id, text), id, all); len(faults) > 0 {
			return nil, faults
		}
		return &Draft{Manifest: text, Off: now.Off}, nil
	})
}

// write changes a platform as decide says and starts serving the change. The result has the secrets that the change
// created.
func (c *Connections) write(ctx context.Context, actor, id string, decide func(ctx context.Context, db postgres.Querier, now *Stored, all []Stored) (*Draft, error)) (made Secrets, err error) {
	if err := c.mayChange(id); err != nil {
		return Secrets{}, err
	}
	before := c.providerSecrets(id)
	made.Platform, err = c.store.Write(ctx, actor, id, func(ctx context.Context, db postgres.Querier, all []Stored) (*Draft, error) {
		var now *Stored
		if i := slices.IndexFunc(all, func(s Stored) bool { return s.ID == id }); i >= 0 {
			now = &all[i]
		}
		return decide(ctx, db, now, all)
	})
	if err != nil {
		return Secrets{}, err
	}
	c.serve(ctx)
	made.Providers = slices.DeleteFunc(c.providerSecrets(id), func(p ProviderSecret) bool { return slices.Contains(before, p) })
	return made, nil
}

// NewSecret replaces the secrets of a platform and its providers, and returns them.
func (c *Connections) NewSecret(ctx context.Context, actor, id string) (made Secrets, err error) {
	if err := c.mayChange(id); err != nil {
		return Secrets{}, err
	}
	if made.Platform, err = c.store.NewSecret(ctx, actor, id); err != nil {
		return Secrets{}, err
	}
	c.serve(ctx)
	made.Providers = c.providerSecrets(id)
	return made, nil
}

// providerSecrets returns the present secrets of a platform's providers, or nil if this server cannot decrypt the
// platform's secret, from which they are derived.
func (c *Connections) providerSecrets(id string) (all []ProviderSecret) {
	one := find(*c.now.Load(), id)
	if one == nil || len(one.secrets) == 0 {
		return nil
	}
	for _, p := range one.declared.Providers {
		all = append(all, ProviderSecret{p.Name, providerSecret(one.secrets[0].Text, p.Name)})
	}
	return all
}

// serve applies a change on this server at once. If that fails, the next refresh does, within a second.
func (c *Connections) serve(ctx context.Context) {
	if err := c.Refresh(ctx); err != nil {
		c.settings.Log.Warn().Err(err).Msg("a change of a platform is stored and not served yet")
	}
}

// mayChange returns invalid_state for a plugin of this server's files or Go code.
func (c *Connections) mayChange(id string) error {
	if slices.ContainsFunc(c.live.Plugins(), func(p *registry.Declaration) bool { return p.ID == id }) {
		return domain.Errorf(domain.CodeInvalidState, "The server was started with this plugin: change its manifest there, and restart.")
	}
	return nil
}

// ErrNoType means that a platform has no such remote type.
var ErrNoType = errors.New("the platform has no such type")

// Try calls a platform about a piece of content, even if it is off, and returns its responses. It returns not_found
// without such a platform, ErrNoType, and validation_failed for an id that is not of the type's kind.
func (c *Connections) Try(ctx context.Context, id, targetType, targetID string) ([]remote.Trial, error) {
	one := find(*c.now.Load(), id)
	switch {
	case one == nil:
		if err := c.mayChange(id); err != nil {
			return nil, domain.Errorf(domain.CodeInvalidState, "The server was started with this plugin: try it with docket plugin try.")
		}
		return nil, domain.NotFound()
	case one.declared.Remote == nil || len(one.secrets) == 0:
		return nil, domain.Errorf(domain.CodeInvalidState, "The platform has faults: mend its manifest first.")
	}
	i := slices.IndexFunc(one.declared.RemoteTypes, func(t plugin.RemoteType) bool { return t.ID == targetType })
	if i < 0 {
		return nil, ErrNoType
	}
	targetID, ok := one.declared.RemoteTypes[i].Key.Kind.Parse(targetID)
	if !ok { // a report of it could not be filed
		return nil, domain.Invalid(domain.Issue{Path: "targetId", Code: "invalid", Message: "Must be an id of this type."})
	}
	asked := serving{platform: c.platforms.Open(id, *one.declared.Remote, one.secrets...), providers: c.open(one)}
	defer asked.close()
	platform, t := asked.platform, &one.declared.RemoteTypes[i]
	trials := platform.Try(ctx, t, targetID, asked.providers...)
	for i := range one.declared.RemoteFamilies {
		if f := &one.declared.RemoteFamilies[i]; f.ID == t.Family() {
			trials = append(trials, platform.TryFamily(ctx, f)...)
		}
	}
	return trials, nil
}
