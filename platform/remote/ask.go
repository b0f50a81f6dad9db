package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// errHeldBack means that the circuit breaker did not let a question through.
var errHeldBack = errors.New("it has not answered of late; requests are paused")

// unreachableError is why a platform counts as unreachable for a question.
type unreachableError struct {
	reason string
	down   bool // the platform did not answer at all, or said that it cannot
}

func (e *unreachableError) Error() string { return e.reason }

func wrong(format string, args ...any) error {
	return &unreachableError{reason: fmt.Sprintf(format, args...)}
}

func down(format string, args ...any) error {
	return &unreachableError{fmt.Sprintf(format, args...), true}
}

// exchange is a question and its answer.
type exchange struct {
	status int
	body   []byte
}

// ask posts a question once. read interprets the answer. Only a platform that is down counts for
// the breaker: one that answers wrongly may do so for this content alone, and whoever reports it
// must not hold back the questions of others. messageID "" means a new one.
func (p *Platform) ask(ctx context.Context, path, messageID string, question any, read func(exchange) error) error {
	if !p.breaker.allow(p.settings.Now()) {
		return fmt.Errorf("ask %s of %s: %w", path, p.pluginID, errHeldBack)
	}
	began := p.settings.Now()
	answer, err := p.post(ctx, path, messageID, question)
	if err == nil {
		err = read(answer)
	}
	p.health.note(Call{At: began, Path: path, Status: answer.status, Took: p.settings.Now().Sub(began)}, err)
	var unreachable *unreachableError
	switch {
	case err == nil || !errors.As(err, &unreachable) && ctx.Err() == nil:
		p.breaker.succeeded()
		p.health.good(p.settings.Now())
		return err
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return err // the caller has gone; the platform is not to blame
	}
	now := p.settings.Now()
	if unreachable != nil && !unreachable.down {
		p.breaker.succeeded()
	} else {
		p.breaker.failed(now)
	}
	p.health.failed(now, path, err.Error())
	p.settings.Log.Warn().Str("plugin_id", p.pluginID).Str("path", path).Str("fault", err.Error()).Msg("a platform gave no valid answer")
	return fmt.Errorf("ask %s of %s: %w", path, p.pluginID, err)
}

// askFor asks a question about a target, whose answer is read by read; the zero T means that the
// platform has no such target.
func askFor[T any](ctx context.Context, p *Platform, path string, question any, read func(body []byte) (T, []domain.Issue)) (T, error) {
	var found T
	err := p.ask(ctx, path, "", question, func(a exchange) error {
		switch a.status {
		case http.StatusOK:
			var issues []domain.Issue
			found, issues = read(a.body)
			return (&faults{issues}).err()
		case http.StatusNotFound:
			return nil
		}
		return wrong("answered %d", a.status)
	})
	if err != nil {
		var none T
		return none, err // also of an answer that was read in part
	}
	return found, nil
}

// post asks once. With an error the exchange is what came back of an answer.
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
