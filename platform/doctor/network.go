package doctor

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/docketmod/docket/platform/egress"
	"github.com/docketmod/docket/platform/mail"
)

// Mail checks that mail could be sent. check is nil if no mail is configured.
func Mail(check func(context.Context) error) Check {
	return Check{Name: "mail", Run: func(ctx context.Context) []Finding {
		if check == nil {
			return off("No mail: SMTP_URL is not set. Links of invitations are shown to the admin instead.")
		}
		if err := check(ctx); err != nil {
			return bad(Fault, "unreachable", "The mail server does not take mail: "+strings.TrimPrefix(mail.Words(err), "mail server: ")+".",
				"Look at host, port, user and password in SMTP_URL: smtp:// is for port 587 or 25, smtps:// for port 465.")
		}
		return fine("The mail server answers and takes the password.")
	}}
}

// maxWait is how long an event may wait for the broker before Broker reports it.
const maxWait = time.Minute

// Broker checks that NATS responds with JetStream enabled and takes events. An empty URL means that there is no
// broker. waiting returns for how long the oldest event has waited for it; nil means that it cannot be asked.
func Broker(brokerURL string, waiting func(context.Context) (time.Duration, error)) Check {
	return Check{Name: "broker", Run: func(ctx context.Context) []Finding {
		if brokerURL == "" {
			return off("No broker: events stay in PostgreSQL.")
		}
		conn, err := nats.Connect(brokerURL, nats.Name("docket doctor"), nats.Timeout(timeout/2), nats.NoReconnect())
		if err != nil {
			return bad(Fault, "unreachable", "The broker does not answer: "+withoutURL(err)+".", "Look at DOCKET_BROKER_URL and whether NATS runs. Events wait in PostgreSQL meanwhile.")
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err == nil {
			_, err = js.AccountInfo(ctx)
		}
		if err != nil {
			return bad(Fault, "no_jetstream", "The broker answers without JetStream.", "Start NATS with JetStream: nats-server --jetstream.")
		}
		if waiting == nil {
			return fine("NATS JetStream answers.")
		}
		wait, err := waiting(ctx)
		switch {
		case err != nil:
			return unexamined(err)
		case wait > maxWait:
			return bad(Warning, "behind", fmt.Sprintf("NATS JetStream answers, and events have waited for it for %s.", wait.Round(time.Second)),
				"Look for “forwarding events waits” in the servers' log: it says why, such as a stream that is full or has not the subjects moderation.> and content.>. Without such a line, no server with DOCKET_BROKER_URL runs, or it catches up.")
		}
		return fine("NATS JetStream answers.")
	}}
}

// KeySet checks that the host platform's keys can be fetched. An empty address means that
// its tokens are not accepted.
func KeySet(address string) Check {
	return Check{Name: "jwks", Run: func(ctx context.Context) []Finding {
		if address == "" {
			return off("No tokens of a host platform: AUTH_JWKS_URL is not set.")
		}
		const advice = "Look at AUTH_JWKS_URL: it is the address of the platform's JSON Web Key Set. Until it answers, nobody signs in with a token."
		var set struct {
			Keys []json.RawMessage `json:"keys"`
		}
		if err := getJSON(ctx, address, &set); err != nil {
			return bad(Fault, "unreachable", "The key set cannot be read: "+withoutURL(err)+".", advice)
		}
		if len(set.Keys) == 0 {
			return bad(Fault, "no_keys", "The address answers, and holds no keys.", advice)
		}
		return fine("The key set holds %d keys.", len(set.Keys))
	}}
}

// OpenIDConnect checks that the identity provider's discovery names the configured issuer. An empty
// issuer means that there is no provider.
func OpenIDConnect(issuer string) Check {
	return Check{Name: "oidc", Run: func(ctx context.Context) []Finding {
		if issuer == "" {
			return off("No sign-in by an identity provider: OIDC_ISSUER is not set.")
		}
		var provider struct {
			Issuer   string `json:"issuer"`
			KeySet   string `json:"jwks_uri"`
			Endpoint string `json:"token_endpoint"`
		}
		if err := getJSON(ctx, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", &provider); err != nil {
			return bad(Fault, "unreachable", "The identity provider does not describe itself: "+withoutURL(err)+".",
				"Look at OIDC_ISSUER: OIDC_ISSUER/.well-known/openid-configuration must answer. Passwords work meanwhile.")
		}
		if provider.Issuer != issuer {
			return bad(Fault, "issuer", fmt.Sprintf("The identity provider calls itself %q, which is not OIDC_ISSUER.", provider.Issuer),
				"Set OIDC_ISSUER to exactly what the provider calls itself, a slash at the end included.")
		}
		if provider.KeySet == "" || provider.Endpoint == "" {
			return bad(Fault, "incomplete", "The identity provider names no keys or no token endpoint.", "Look whether OIDC_ISSUER is an OpenID Connect provider.")
		}
		return fine("The identity provider answers.")
	}}
}

// Proxy checks the path between people and the server.
type Proxy struct {
	BaseURL string // "" for a server without one
	Trusted bool   // DOCKET_TRUSTED_PROXIES is set
	// Untrusted reports whether an untrusted peer sent X-Forwarded-For; nil if no server runs.
	Untrusted func() bool
}

// Check checks that the address that people use responds, and that DOCKET_TRUSTED_PROXIES is set if a proxy needs it.
func (p Proxy) Check() Check {
	return Check{Name: "proxy", Run: func(ctx context.Context) []Finding {
		if p.BaseURL == "" {
			return off("No address for others: DOCKET_BASE_URL is not set.")
		}
		var found []Finding
		base, err := url.Parse(p.BaseURL)
		if err != nil {
			return bad(Fault, "base_url", "DOCKET_BASE_URL is not an address.", "Set it to the address that people use, such as https://moderation.example.")
		}
		var alive struct {
			User any `json:"user"`
		}
		if err := getJSON(ctx, base.JoinPath("/api/@platform/core/users/session").String(), &alive); err != nil {
			code, advice := Code("unreachable"), "Look at the proxy and at the name's address. If only this machine cannot reach it, nothing is wrong."
			if unknown := new(x509.UnknownAuthorityError); errors.As(err, unknown) {
				code, advice = "certificate", "If the certificate is your own, set SSL_CERT_FILE to the PEM file of its authority where docket runs."
			}
			found = append(found, bad(Warning, code, "The address that people use does not lead here from this machine: "+withoutURL(err)+".", advice)...)
		}
		if p.Untrusted != nil && p.Untrusted() {
			found = append(found, bad(Fault, "untrusted", "A proxy sends X-Forwarded-For, and DOCKET_TRUSTED_PROXIES does not name it.",
				"Name its network in DOCKET_TRUSTED_PROXIES. Until then everybody has the proxy's address, and shares its limits.")...)
		} else if base.Scheme == "https" && !p.Trusted {
			found = append(found, bad(Warning, "no_proxy", "People use https, which a proxy must end, and DOCKET_TRUSTED_PROXIES names none.",
				"Name the proxy's network in DOCKET_TRUSTED_PROXIES, else everybody has the proxy's address, and shares its limits.")...)
		}
		if found == nil {
			found = fine("%s leads here.", base.Redacted())
		}
		return found
	}}
}

const maxAnswer = 1 << 20

// getJSON fetches a document without following redirects.
func getJSON(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errors.New("not an address")
	}
	answer, err := egress.NewClient(egress.Options{Configured: true, Timeout: timeout}).Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	if json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(into) != nil {
		return errors.New("it does not answer with JSON")
	}
	return nil
}
