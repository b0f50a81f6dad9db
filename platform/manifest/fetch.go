package manifest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/egress"
)

// fetchTimeout bounds the fetch of a manifest.
const fetchTimeout = 10 * time.Second

// Fetch returns the text at an address. It stores nothing, and follows no redirect. A failure is a
// fault of the field `url`.
func (c *Connections) Fetch(ctx context.Context, address string) (string, error) {
	fault := func(format string, args ...any) (string, error) {
		return "", domain.Invalid(domain.Issue{Path: "url", Code: "invalid", Message: fmt.Sprintf(format, args...)})
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || c.settings.RequireHTTPS) {
		return fault("Must be an address that begins with https.")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fault("Must be an address that begins with https.")
	}
	o := *c.keysEgress()
	o.Timeout = fetchTimeout
	answer, err := egress.NewClient(o).Do(r)
	if err != nil {
		return fault("It could not be fetched: %s.", egress.Explain(ctx, err, fetchTimeout))
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, registry.MaxManifest+1))
	switch {
	case err != nil:
		return fault("It could not be fetched: %s.", egress.Explain(ctx, err, fetchTimeout))
	case answer.StatusCode != http.StatusOK:
		return fault("The server there answered %d.", answer.StatusCode)
	case len(text) > registry.MaxManifest:
		return fault("It has more than %d bytes.", registry.MaxManifest)
	case !utf8.Valid(text):
		return fault("It is no text in UTF-8.")
	}
	return string(text), nil
}
