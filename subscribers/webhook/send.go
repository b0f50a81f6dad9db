package webhook

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
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// maxAnswer is how much of an answer is read, in bytes; nothing in it is used.
const maxAnswer = 64 << 10

// sender posts deliveries. It follows no redirect, uses no proxy and keeps no
// connection, so each delivery dials an address that the guard has seen.
type sender struct {
	client  *http.Client
	timeout time.Duration
}

func newSender(allow []netip.Prefix, timeout time.Duration) *sender {
	dialer := &net.Dialer{Timeout: timeout, Control: guard{allow}.control}
	return &sender{timeout: timeout, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: timeout,
			ResponseHeaderTimeout: timeout, MaxResponseHeaderBytes: 16 << 10,
		},
	}}
}

// result is how a delivery went. Reason is "" when it was accepted.
type result struct {
	status int // 0 without an answer
	reason string
	gone   bool // the receiver wants no more (410)
}

// send posts the body once, signed as Standard Webhooks say.
func (s *sender) send(ctx context.Context, now time.Time, address, secret, id, content string) result {
	signer, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return result{reason: "the signing secret is damaged"}
	}
	signature, err := signer.Sign(id, now, []byte(content))
	if err != nil {
		return result{reason: "signing failed"}
	}
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set(standardwebhooks.HeaderWebhookID, id)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return s.post(ctx, address, header, content)
}

// post sends the content once with these headers.
func (s *sender) post(ctx context.Context, address string, header http.Header, content string) result {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(content))
	if err != nil {
		return result{reason: "the address is not valid"}
	}
	r.Header = header
	r.Header.Set("User-Agent", "Docket-Webhooks/1")
	answer, err := s.client.Do(r)
	if err != nil {
		return result{reason: s.why(ctx, err)}
	}
	defer answer.Body.Close()
	// The answer is read so that the receiver sees it taken, and no further.
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	out := result{status: answer.StatusCode, gone: answer.StatusCode == http.StatusGone}
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		out.reason = fmt.Sprintf("answered %d, a redirect, which is not followed", answer.StatusCode)
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		out.reason = fmt.Sprintf("answered %d", answer.StatusCode)
	case err != nil:
		out.reason = "the answer broke off: " + s.why(ctx, err)
	}
	return out
}

// why puts a failure into words for an admin.
func (s *sender) why(ctx context.Context, err error) string {
	var refused *refusedError
	var unverified *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("no complete answer within %s", s.timeout)
	case errors.As(err, &unverified):
		return "TLS: the certificate is not trusted: " + unverified.Err.Error()
	case errors.As(err, &header), errors.Is(err, http.ErrSchemeMismatch):
		return "TLS: the other side does not speak TLS"
	case errors.As(err, &dns):
		return "the name of the host cannot be resolved"
	}
	var wrapped *url.Error // its text repeats the address
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return "connection failed: " + err.Error()
}
