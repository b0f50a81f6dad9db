package registry

import (
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
)

// RegisteredWebhook is a plugin's webhook with its secret.
type RegisteredWebhook struct {
	PluginID string
	plugin.Webhook
	Secret string
}

// WebhookSettings are the settings of a process that sends webhooks, for the registration's checks.
type WebhookSettings struct {
	// Variable returns an environment variable, or "" if it is not set.
	Variable func(name string) string
	// RequireHTTPS refuses http addresses, as in production.
	RequireHTTPS bool
}

func (n node) webhook() plugin.Webhook {
	o, _ := n.object("name", "url", "events", "secretEnv", "scope")
	w := plugin.Webhook{Name: o.text("name"), SecretEnv: o.text("secretEnv")}
	w.URL, w.Events = o.text("url"), o.texts("events")
	if s, ok := o.object("scope", "family", "mode", "ids"); ok {
		w.Scope = &scope.Scope{Family: s.text("family"), Mode: scope.Mode(s.text("mode")), IDs: s.texts("ids")}
	}
	return w
}
