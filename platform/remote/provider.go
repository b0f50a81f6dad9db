package remote

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
)

// Provider asks a service for signals about content. It is safe for concurrent use.
type Provider struct{ platform *Platform }

// ProviderQuestion is what a provider is told of reported content.
type ProviderQuestion struct {
	Report string          `json:"report"`
	Target snapshot.Target `json:"target"`
	Title  string          `json:"title"`
	Text   string          `json:"text"` // of its fields, a line each
	Links  []string        `json:"links"`
	Files  []snapshot.File `json:"files"` // none unless its manifest asks for them
}

// Provide adds a provider of a plugin. It asks nothing yet.
func (p *Platforms) Provide(pluginID string, r plugin.Provider, secret string) *Provider {
	one := p.Open(pluginID+"/"+r.Name, plugin.Remote{URL: r.URL, Timeout: r.Timeout}, Secret{Text: secret})
	one.url, one.exact = r.URL, true
	p.all = append(p.all, one)
	return &Provider{one}
}

// Ask asks for signals. The provider may be asked again with the same message id, whatever it
// answered.
func (p *Provider) Ask(ctx context.Context, messageID string, q ProviderQuestion) (signals []signal.Signal, err error) {
	err = p.platform.ask(ctx, "signals", messageID, q, func(a exchange) error {
		if a.status != http.StatusOK {
			return wrong("answered %d", a.status)
		}
		var issues []domain.Issue
		signals, issues = ReadSignals(a.body)
		return (&faults{issues}).err()
	})
	return signals, err
}

// ReadSignals reads the answer of a provider and returns every fault.
func ReadSignals(raw []byte) ([]signal.Signal, []domain.Issue) {
	f := &faults{}
	signals := f.readObject("", raw).signals(true)
	if len(f.issues) > 0 {
		return nil, f.issues
	}
	return signals, nil
}
