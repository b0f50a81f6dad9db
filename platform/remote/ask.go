package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// errHeldBack means that the circuit breaker is open.
var errHeldBack = errors.New("it has not answered of late; requests are paused")

// unreachableError is why a platform counts as unreachable for a request.
type unreachableError struct {
	reason string
	down   bool // the platform did not respond, or said that it is unavailable
}

func (e *unreachableError) Error() string { return e.reason }

func wrong(format string, args ...any) error {
	return &unreachableError{reason: fmt.Sprintf(format, args...)}
}

func down(format string, args ...any) error {
	return &unreachableError{fmt.Sprintf(format, args...), true}
}

// exchange is a request and its response.
type exchange struct {
	status int
	body   []byte
}

// ask posts a request once. read interprets the response. Only a platform that is down counts for the circuit breaker:
// an invalid response may concern only this content, and its reporter must not block the requests of others. messageID
// "" means a new one.
func (p *Platform) ask(ctx context.Context, path, messageID string, question any, read func(exchange) error) error {
	if !p.breaker.allow(p.settings.Now()) {
		return fmt.Errorf("ask %s of %s: %w", path, p.pluginID, errHeldBack)
	}
	began := p.settings.Now()
	answer, err := p.post(ctx, path, messageID, question)
	if err == nil {
		err = read(answer)
	}
	now := p.settings.Now()
	unreachable, failed := errors.AsType[*unreachableError](err)
	failed = failed || err != nil && ctx.Err() != nil
	// If the caller cancelled, it is not the platform's fault.
	gone := failed && ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded)
	p.health.note(Call{At: began, Path: path, Status: answer.status, Took: now.Sub(began)}, err, failed, gone)
	if gone {
		return err
	}
	p.breaker.note(now, failed && (unreachable == nil || unreachable.down))
	if !failed {
		return err
	}
	p.settings.Log.Warn().Str("plugin_id", p.pluginID).Str("path", path).Str("fault", err.Error()).Msg("a platform gave no valid answer")
	return fmt.Errorf("ask %s of %s: %w", path, p.pluginID, err)
}

// askFor posts a request and parses the response with read. It returns the zero T for the statuses none, which mean
// that the platform has no such thing.
func askFor[T any](ctx context.Context, p *Platform, path string, question any, read func(body []byte) (T, []domain.Issue), none ...int) (found T, err error) {
	err = p.ask(ctx, path, "", question, func(a exchange) (err error) {
		switch {
		case a.status == http.StatusOK:
			found, err = good(read(a.body))
			return err
		case slices.Contains(none, a.status):
			return nil
		}
		return wrong("answered %d", a.status)
	})
	return found, err
}

// good returns the parsed response, or its faults as an error of the platform.
func good[T any](read T, issues []domain.Issue) (found T, err error) {
	if len(issues) > 0 {
		return found, wrong("the answer is wrong: %s", strings.Join(domain.Map(issues, domain.Issue.String), " "))
	}
	return read, nil
}

// post sends a request once. With an error it returns the part of the response that was received.
func (p *Platform) post(ctx context.Context, path, messageID string, question any) (exchange, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return exchange{}, fmt.Errorf("encode the question: %w", err)
	}
	if messageID == "" {
		messageID = "msg_" + uuid.NewString()
	}
	now, address := p.settings.Now(), p.url
	if !p.exact {
		address += "/" + path
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return exchange{}, wrong("the address is not valid")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Docket/1")
	if err := egress.Sign(r.Header, messageID, now, body, p.goodSecrets(now)...); err != nil {
		return exchange{}, wrong("%v", err)
	}
	answer, err := p.http.Do(r)
	if err != nil {
		return exchange{}, down("%s", egress.Explain(ctx, err, p.timeout))
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	got := exchange{status: answer.StatusCode}
	switch {
	case err != nil:
		return got, down("the answer broke off: %s", egress.Explain(ctx, err, p.timeout))
	case len(raw) > maxAnswer:
		return got, wrong("the answer is larger than %d bytes", maxAnswer)
	}
	got.body = raw
	switch {
	case got.status >= 300 && got.status < 400:
		return got, wrong("answered %d, a redirect, which is not followed", got.status)
	case got.status >= 500:
		return got, down("answered %d", got.status)
	}
	return got, nil
}
