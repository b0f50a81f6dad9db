package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// Options tune a client.
type Options struct {
	Allow []netip.Prefix // private networks that may be reached
	// Configured is for addresses that the operator has set, such as an identity provider's:
	// they may be in any network, and the proxy of the environment is used.
	Configured bool
	Timeout    time.Duration // of a request, from dialling to the end of the response; never 0
	// KeepAlive keeps idle connections open, to addresses that were checked.
	KeepAlive bool
}

// Everywhere returns the networks with which Options.Allow permits every address.
func Everywhere() []netip.Prefix { return prefixes("0.0.0.0/0", "::/0") }

// NewClient returns a client that checks each address right before it dials it. All of Docket's
// outgoing HTTP requests use one.
func NewClient(o Options) *http.Client {
	var proxy func(*http.Request) (*url.URL, error)
	if o.Configured {
		o.Allow, proxy = Everywhere(), http.ProxyFromEnvironment
	}
	dialer := &net.Dialer{Timeout: o.Timeout, Control: guard{o.Allow}.control}
	return &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: finalOnly{&http.Transport{
			Proxy: proxy, DialContext: dialer.DialContext, DisableKeepAlives: !o.KeepAlive, DisableCompression: true,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: o.Timeout,
			MaxResponseHeaderBytes: 16 << 10, MaxIdleConnsPerHost: 32, IdleConnTimeout: 30 * time.Second,
		}},
	}
}

// finalOnly refuses a change of protocol, which no request asks for. The body of such a response is
// the connection itself, without a deadline.
type finalOnly struct{ *http.Transport }

func (f finalOnly) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := f.Transport.RoundTrip(r)
	if err == nil && answer.StatusCode < 200 {
		_ = answer.Body.Close()
		return nil, unaskedError(answer.StatusCode)
	}
	return answer, err
}

// Explain describes the failure of a request for an admin. It may name the host and its network
// address, but nothing else of the URL. It does not quote the response, since the text is stored
// where erasure does not reach.
func Explain(ctx context.Context, err error, timeout time.Duration) string {
	var refused *refusedError
	var unverified *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var dns *net.DNSError
	var late net.Error
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &late) && late.Timeout(),
		errors.Is(err, net.ErrClosed): // by this side, at the deadline, during a write
		return fmt.Sprintf("no complete answer within %s", timeout)
	case errors.As(err, &unverified):
		return "TLS: the certificate is not trusted: " + unverified.Err.Error()
	case errors.As(err, &header), errors.Is(err, http.ErrSchemeMismatch):
		return "TLS: the other side does not speak TLS"
	case errors.As(err, &dns):
		return "the name of the host cannot be resolved"
	}
	// Other errors contain the URL, or what the other side sent.
	var unasked unaskedError
	var network *net.OpError
	switch {
	case errors.As(err, &unasked):
		return "connection failed: " + unasked.Error()
	case errors.As(err, &network):
		return "connection failed: " + network.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection failed: it ended before the answer did"
	}
	return "connection failed: no valid HTTP answer came"
}

// unaskedError is the status of a response that changes the protocol.
type unaskedError int

func (e unaskedError) Error() string {
	return fmt.Sprintf("answered %d, which was not asked for", int(e))
}
