package plugin

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/scope"
)

// Webhook is an address that the plugin wants its events sent to: those of its own
// reports and content, and of no other plugin's.
type Webhook struct {
	Name string // known by it from start to start; unique within the plugin
	// SecretEnv names the environment variable that holds the signing secret, so
	// that none ever stands in a manifest or in code.
	SecretEnv string
	event.Subscription
}

// RegisteredWebhook is a plugin's webhook with its secret.
type RegisteredWebhook struct {
	PluginID string
	Webhook
	Secret string
}

// WebhookSettings are what registration needs of the process that will send webhooks.
type WebhookSettings struct {
	// Variable gives an environment variable, "" for none.
	Variable func(name string) string
	// RequireHTTPS refuses webhooks in the clear, as production does.
	RequireHTTPS bool
}

var (
	webhookName  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,127}$`)
)

func webhookPath(i int) string { return fmt.Sprintf("webhooks[%d]", i) }

func (r *registration) checkWebhooks(p *Plugin) {
	fault := r.reporter(p)
	seen := make(map[string]string)
	for i := range p.Webhooks {
		w := &p.Webhooks[i]
		at := fault.At(webhookPath(i))
		if !webhookName.MatchString(w.Name) {
			at("name", "a webhook's name is made of lowercase letters, digits, dots, - and _; %q is not", w.Name)
		}
		unique(seen, w.Name, p.where(webhookPath(i)+".name"), at, "name", "webhook")
		if !variableName.MatchString(w.SecretEnv) {
			at("secretEnv", "a webhook needs the name of the environment variable that holds its secret, such as TRACKER_SECRET; %q is none", w.SecretEnv)
		}
		r.checkSubscription(w.Subscription, at)
	}
}

// checkSubscription says what event.Subscription finds, with what may have been meant.
func (r *registration) checkSubscription(s event.Subscription, fault content.Report) {
	for i, pattern := range s.Events {
		if !event.ValidPattern(pattern) {
			fault(fmt.Sprintf("events[%d]", i), "there is no event %q%s", pattern, DidYouMean(pattern, event.ReportNames))
		}
	}
	for _, issue := range s.Check(false) {
		if issue.Code != event.UnknownEvent { // said above
			fault(issue.Path, "%s", issue.Message)
		}
	}
	if s.Scope != nil {
		r.knownFamily(s.Scope.Family, fault, "scope.family")
	}
}

// settle finds what webhooks need where they will be sent.
func (r *registration) settle(s WebhookSettings, plugins []*Plugin) (all []RegisteredWebhook) {
	for _, p := range plugins {
		fault := r.reporter(p)
		for i, w := range p.Webhooks {
			at := fault.At(webhookPath(i))
			if s.RequireHTTPS && strings.HasPrefix(strings.ToLower(w.URL), "http:") {
				at("url", "this must begin with https in production")
			}
			secret := s.Variable(w.SecretEnv)
			switch {
			case !variableName.MatchString(w.SecretEnv): // said already
			case secret == "":
				at("secretEnv", "the environment variable %s is not set; make a secret with: echo whsec_$(openssl rand -base64 32)", w.SecretEnv)
			case !validSecret(secret):
				at("secretEnv", "the environment variable %s holds no secret of the form whsec_ and 24 to 64 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)", w.SecretEnv)
			}
			all = append(all, RegisteredWebhook{p.ID, w, secret})
		}
	}
	return all
}

// validSecret tells whether it is one as Standard Webhooks want it.
func validSecret(s string) bool {
	encoded, found := strings.CutPrefix(s, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	return found && err == nil && len(key) >= 24 && len(key) <= 64
}

func (n node) webhook() Webhook {
	o, _ := n.object("name", "url", "events", "secretEnv", "scope")
	w := Webhook{Name: o.text("name"), SecretEnv: o.text("secretEnv")}
	w.URL, w.Events = o.text("url"), o.texts("events")
	if s, ok := o.object("scope", "family", "mode", "ids"); ok {
		w.Scope = &scope.Scope{Family: s.text("family"), Mode: scope.Mode(s.text("mode")), IDs: s.texts("ids")}
	}
	return w
}
