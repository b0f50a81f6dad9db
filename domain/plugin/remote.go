package plugin

import (
	"strings"
	"time"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// Remote is the platform that holds a plugin's remote types: a server in any language that
// answers Docket's signed requests.
type Remote struct {
	URL       string // requests are posted to paths below it
	SecretEnv string // the environment variable with the secret that signs them
	Timeout   time.Duration
}

// RemoteType is a type of content that a platform holds.
type RemoteType struct {
	content.Type // without table and columns
	Actions      []RemoteAction
}

// RemoteAction is an action that the platform can do. Undo is the name of the one that
// reverts it, with the same permission, or "".
type RemoteAction struct {
	Name, Undo, Permission string
}

// Names returns the type's actions and their undos by name, with their permissions.
func (t *RemoteType) Names() []RemoteAction {
	var all []RemoteAction
	for _, a := range t.Actions {
		all = append(all, RemoteAction{Name: a.Name, Undo: a.Undo, Permission: a.Permission})
		if a.Undo != "" {
			all = append(all, RemoteAction{Name: a.Undo, Permission: a.Permission})
		}
	}
	return all
}

// Permissions returns the permissions that are generated for the type: those of every type,
// and one for each action that needs another.
func (t *RemoteType) Permissions(pluginID string) []permission.Declared {
	if t.Reports == nil {
		return nil
	}
	known := map[string]bool{}
	hides := false
	for _, a := range t.Actions {
		hides = hides || a.Permission == permission.Hide || a.Name == target.Hide
	}
	all := permission.Generated(pluginID, t.PermissionModule, t.Family(), hides)
	for _, d := range all {
		known[d.Permission] = true
	}
	for _, a := range t.Actions {
		if !known[a.Permission] {
			known[a.Permission] = true
			all = append(all, permission.Declared{Kind: permission.Moderator, Plugin: pluginID, Module: t.PermissionModule,
				Permission: a.Permission, DependsOn: permission.ManageReports, Scope: t.Family()})
		}
	}
	return all
}

// RemoteFamily is a scope family whose resources a platform holds.
type RemoteFamily struct {
	ID, Label, Description string

	at int // where it stands in the manifest's moderation.scopes
}

// A Platform builds definitions that call the remote platform of a plugin.
type Platform interface {
	Target(t *RemoteType) target.Definition
	Family(f *RemoteFamily) scope.Definition
}

// Connect returns the platform of a plugin. The secret is in the form of Standard Webhooks.
type Connect func(pluginID string, r Remote, secret string) Platform

// remotes returns the platform of each plugin that has one.
func (r *registration) remotes(deps Deps, plugins []*Plugin) map[*Plugin]Platform {
	all := map[*Plugin]Platform{}
	for _, p := range plugins {
		if p.Remote != nil && deps.Connect != nil && deps.Webhooks != nil {
			all[p] = deps.Connect(p.ID, *p.Remote, r.remoteSecret(*deps.Webhooks, p))
		}
	}
	return all
}

// remoteSecret reads the secret of a platform and makes the checks that depend on settings.
func (r *registration) remoteSecret(s WebhookSettings, p *Plugin) (secret string) {
	fault := r.reporter(p).At("remote")
	if s.RequireHTTPS && strings.HasPrefix(strings.ToLower(p.Remote.URL), "http:") {
		fault("url", "this must begin with https in production")
	}
	return readSecret(s, p.Remote.SecretEnv, fault)
}
