package registry

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
)

var (
	webhookName  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,127}$`)
)

func webhookPath(i int) string { return fmt.Sprintf("webhooks[%d]", i) }

func (r *registration) checkWebhooks(p *Declaration) {
	fault := r.reporter(p)
	seen := places{}
	for i := range p.Webhooks {
		w := &p.Webhooks[i]
		at := fault.At(webhookPath(i))
		if !webhookName.MatchString(w.Name) {
			at("name", "%q is not a valid webhook name: it must consist of lowercase letters, digits, dots, - and _", w.Name)
		}
		seen.unique("webhook", w.Name, p.where(webhookPath(i)+".name"), at, "name")
		if !variableName.MatchString(w.SecretEnv) {
			at("secretEnv", "a webhook needs the name of an environment variable with its secret, such as TRACKER_SECRET; %q is not a valid name", w.SecretEnv)
		}
		r.checkSubscription(w.Subscription, at)
	}
}

// checkSubscription reports the faults of the subscription, with suggestions for event names.
func (r *registration) checkSubscription(s event.Subscription, fault content.FaultFunc) {
	knownEvents(s.Events, fault)
	for _, issue := range s.Check(false) {
		if issue.Code != event.UnknownEvent { // reported above
			fault(issue.Path, "%s", issue.Message)
		}
	}
	if s.Scope != nil {
		r.knownFamily(s.Scope.Family, fault, "scope.family")
	}
}

// resolve reads the secrets of the plugin's webhooks and providers, and checks what depends on the settings.
func (r *Registered) resolve(p *Declaration, s *WebhookSettings, fault content.FaultFunc) {
	for i, w := range p.Webhooks {
		r.Webhooks = append(r.Webhooks, RegisteredWebhook{p.ID, w, s.secret(w.URL, w.SecretEnv, fault.At(webhookPath(i)))})
	}
	for i, one := range p.Providers {
		r.Providers = append(r.Providers, RegisteredProvider{p.ID, one, s.secret(one.URL, one.SecretEnv, fault.At(providerPath(i)))})
	}
}

// secret reads an address's secret from an environment variable, and reports the faults of both.
func (s *WebhookSettings) secret(address, variable string, fault content.FaultFunc) string {
	if s.RequireHTTPS && strings.HasPrefix(strings.ToLower(address), "http:") {
		fault("url", "this must begin with https in production")
	}
	secret := s.Variable(variable)
	switch {
	case !variableName.MatchString(variable): // reported without the settings
	case secret == "":
		fault("secretEnv", "the environment variable %s is not set; make a secret with: echo whsec_$(openssl rand -base64 32)", variable)
	case !ValidSecret(secret):
		fault("secretEnv", "the environment variable %s holds no secret of the form whsec_ and 24 to 64 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)", variable)
	}
	return secret
}

// ValidSecret reports whether s is a secret as Standard Webhooks define it.
func ValidSecret(s string) bool {
	encoded, found := strings.CutPrefix(s, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	return found && err == nil && len(key) >= 24 && len(key) <= 64
}
