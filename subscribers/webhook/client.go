package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/docketmod/docket/platform/egress"
)

// maxAnswer is how much of a response is read, in bytes. Its content is not used.
const maxAnswer = 64 << 10

// client posts over HTTP. It follows no redirect and uses no proxy. It reuses idle connections, to
// addresses that the guard has checked.
type client struct {
	http    *http.Client
	timeout time.Duration
}

func newClient(allow []netip.Prefix, timeout time.Duration) *client {
	return &client{timeout: timeout, http: egress.NewClient(egress.Options{Allow: allow, Timeout: timeout, KeepAlive: true})}
}

// result is the outcome of a request.
type result struct {
	status int    // 0 without a response
	reason string // "" if the content was accepted
	gone   bool   // the receiver no longer exists (410)
}

// headerSequence is the header with the sequence of a delivery's event within its report.
const headerSequence = "webhook-sequence"

// postSigned posts the delivery once, signed as Standard Webhooks require. Their signature does
// not cover the header of the sequence.
func (c *client) postSigned(ctx context.Context, now time.Time, secret string, d pending) result {
	header := http.Header{"Content-Type": {"application/json"}}
	if err := egress.Sign(header, d.eventID, now, []byte(d.body), secret); err != nil {
		return result{reason: err.Error()}
	}
	if d.sequence != nil {
		header.Set(headerSequence, strconv.Itoa(*d.sequence))
	}
	return c.post(ctx, d.url, header, d.body)
}

// post posts the content once with these headers.
func (c *client) post(ctx context.Context, address string, header http.Header, content string) result {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(content))
	if err != nil {
		return result{reason: "the address is not valid"}
	}
	r.Header = header
	r.Header.Set("User-Agent", "Docket-Webhooks/1")
	r.Header["Idempotency-Key"] = nil // not sent; makes net/http repeat a request whose reused connection turns out to be closed
	answer, err := c.http.Do(r)
	if err != nil {
		return result{reason: egress.Explain(ctx, err, c.timeout)}
	}
	defer answer.Body.Close()
	// Reading the response lets the receiver see that it was accepted.
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	out := result{status: answer.StatusCode, gone: answer.StatusCode == http.StatusGone}
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		out.reason = fmt.Sprintf("answered %d, a redirect, which is not followed", answer.StatusCode)
	case answer.StatusCode > 299:
		out.reason = fmt.Sprintf("answered %d", answer.StatusCode)
	case err != nil:
		out.reason = "the answer broke off: " + egress.Explain(ctx, err, c.timeout)
	}
	return out
}

// Post posts content once to an address that the operator configured, with the limits and the guard
// of a delivery. Its error says why the content was not accepted; of the URL it contains at most
// the host and its network address.
func (s *Store) Post(ctx context.Context, address, contentType, content string) error {
	r := s.client.post(ctx, address, http.Header{"Content-Type": {contentType}}, content)
	if r.reason != "" {
		return errors.New(r.reason)
	}
	return nil
}
