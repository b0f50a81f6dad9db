package remote

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
)

// Provider is a client of a service that returns signals about content. It is safe for concurrent
// use.
type Provider struct {
	plugin.Provider
	PluginID string

	platform *Platform
}

// ProviderQuestion is the request to a provider, with the reported content.
type ProviderQuestion struct {
	Report string          `json:"report"`
	Target snapshot.Target `json:"target"`
	Title  string          `json:"title"`
	Text   string          `json:"text"` // of its fields, a line each
	Links  []string        `json:"links"`
	Files  []snapshot.File `json:"files"` // none unless its manifest requests them
}

// Provide adds a provider of a plugin to the platforms of All. It sends no request yet.
func (p *Platforms) Provide(pluginID string, r plugin.Provider, secret string) *Provider {
	one := p.OpenProvider(pluginID, r, Secret{Text: secret})
	p.all = append(p.all, one.platform)
	return one
}

// OpenProvider returns a provider that is not among the platforms of All. It sends no request yet.
func (p *Platforms) OpenProvider(pluginID string, r plugin.Provider, secrets ...Secret) *Provider {
	one := p.Open(pluginID+"/"+r.Name, plugin.Remote{URL: r.URL, Timeout: r.Timeout}, secrets...)
	one.url, one.exact = r.URL, true
	return &Provider{r, pluginID, one}
}

// Close closes the idle connections of a provider that is no longer used.
func (p *Provider) Close() { p.platform.Close() }

// Health returns how the provider has responded since this server started.
func (p *Provider) Health() Health { return p.platform.Health() }

// Question returns the request to the provider for a stored snapshot.
func (p *Provider) Question(reportID string, t snapshot.Target, stored json.RawMessage) ProviderQuestion {
	content := snapshot.ContentOf(stored)
	q := ProviderQuestion{Report: reportID, Target: t, Title: content.Title, Links: []string{}, Files: []snapshot.File{}}
	var lines []string
	for _, f := range content.Fields {
		if p.Fields == nil || slices.Contains(p.Fields, f.Name) {
			lines = append(lines, f.Text)
		}
	}
	q.Text = strings.Join(lines, "\n")
	for _, l := range likeness.LinksOf(stored) {
		q.Links = append(q.Links, l.URL)
	}
	if p.Files {
		q.Files = append(q.Files, snapshot.FilesOf(stored)...)
	}
	return q
}

// Ask requests signals. It may be called again with the same message id, whatever the response was.
func (p *Provider) Ask(ctx context.Context, messageID string, q ProviderQuestion) (signals []signal.Signal, err error) {
	err = p.platform.ask(ctx, "signals", messageID, q, func(a exchange) (err error) {
		if a.status != http.StatusOK {
			return wrong("answered %d", a.status)
		}
		signals, err = good(ReadSignals(a.body))
		return err
	})
	return signals, err
}

// ReadSignals parses a provider's response and returns every fault.
func ReadSignals(raw []byte) ([]signal.Signal, []domain.Issue) {
	f := &faults{}
	return f.readObject("", raw).signals(true), f.issues
}
