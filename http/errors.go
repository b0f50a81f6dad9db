package http

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// The error codes that only this layer uses.
const (
	codeMethodNotAllowed     domain.Code = "method_not_allowed"
	codePayloadTooLarge      domain.Code = "payload_too_large"
	codeUnsupportedMediaType domain.Code = "unsupported_media_type"
	codeMisdirected          domain.Code = "misdirected_request"
	codeUnknownParameter     domain.Code = "unknown_parameter"
	codeInternal             domain.Code = "internal"
)

// statuses has the status of each error code, here and nowhere else.
var statuses = map[domain.Code]int{
	domain.CodeValidationFailed:   http.StatusBadRequest,
	domain.CodeInvalidCursor:      http.StatusBadRequest,
	domain.CodeInvalidPermissions: http.StatusBadRequest,
	codeUnknownParameter:          http.StatusBadRequest,
	domain.CodeUnauthorized:       http.StatusUnauthorized,
	domain.CodeInvalidCredentials: http.StatusUnauthorized,
	domain.CodeForbidden:          http.StatusForbidden,
	domain.CodeFactorRequired:     http.StatusForbidden,
	domain.CodeSignInAgain:        http.StatusForbidden,
	domain.CodeNotFound:           http.StatusNotFound,
	codeMethodNotAllowed:          http.StatusMethodNotAllowed,
	domain.CodeConflict:           http.StatusConflict,
	domain.CodeAlreadyClaimed:     http.StatusConflict,
	domain.CodeAlreadyReported:    http.StatusConflict,
	domain.CodeAlreadyExists:      http.StatusConflict,
	domain.CodeInvalidState:       http.StatusConflict,
	domain.CodeActionUnavailable:  http.StatusConflict,
	domain.CodeOwnDecision:        http.StatusForbidden,
	domain.CodeAlreadyAppealed:    http.StatusConflict,
	domain.CodeAppealClosed:       http.StatusConflict,
	domain.CodeSuspended:          http.StatusForbidden,
	domain.CodeHeld:               http.StatusConflict,
	codePayloadTooLarge:           http.StatusRequestEntityTooLarge,
	codeUnsupportedMediaType:      http.StatusUnsupportedMediaType,
	codeMisdirected:               http.StatusMisdirectedRequest,
	domain.CodeActionFailed:       http.StatusUnprocessableEntity,
	domain.CodeRateLimited:        http.StatusTooManyRequests,
	codeInternal:                  http.StatusInternalServerError,
	domain.CodeUnavailable:        http.StatusServiceUnavailable,
}

// statusClientGone is what metrics and traces show if the client has gone. HTTP defines no
// such status; nginx uses this one.
const statusClientGone = 499

// retryUnavailable is how long a client should wait if the database is unreachable, in seconds.
const retryUnavailable = 5

func notFound() error { return domain.NotFound() }

func forbidden(m string) error { return domain.Errorf(domain.CodeForbidden, "%s", m) }

func unauthorized() error {
	return domain.Errorf(domain.CodeUnauthorized, "Sign in first.")
}

func methodNotAllowed() error {
	return domain.Errorf(codeMethodNotAllowed, "This path does not support the method. See the Allow header.")
}

// plainText is a response whose plain text is part of the API.
type plainText struct {
	status int
	text   string
}

func (e *plainText) Error() string { return e.text }

// errorBody is the body of every error of the API. Those of `invalid_permissions`,
// `conflict` and `already_claimed` have no message, except for a case.
type errorBody struct {
	Error      domain.Code `json:"error"`
	Message    string      `json:"message,omitempty"`
	Issues     any         `json:"issues,omitempty"`
	Current    any         `json:"current,omitempty"`
	Conflicts  any         `json:"conflicts,omitempty"`
	Faults     any         `json:"faults,omitempty"`
	ReportID   string      `json:"reportId,omitempty"`
	RetryAfter int         `json:"retryAfter,omitempty"`
}

// writeError responds with err. It logs the cause with the request's id and never shows it. It
// aborts the connection of a half-written response, so that nobody takes that for a complete one.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	if begun(w) {
		zerolog.Ctx(r.Context()).Error().Err(err).Msg("request failed within its answer")
		panic(http.ErrAbortHandler)
	}
	if plain, ok := errors.AsType[*plainText](err); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(plain.status)
		_, _ = w.Write([]byte(plain.text))
		return
	}
	e := classify(err)
	if e.Cause != nil && errors.Is(r.Context().Err(), context.Canceled) {
		w.WriteHeader(statusClientGone)
		return
	}
	status := statuses[e.Code]
	if status == 0 {
		status, e = http.StatusInternalServerError, &domain.Error{Code: codeInternal, Message: internalMessage, Cause: err}
	}
	if e.Cause != nil && (status >= http.StatusInternalServerError || e.Code == domain.CodeActionFailed) {
		zerolog.Ctx(r.Context()).Error().Err(e.Cause).Msg("request failed")
	}
	body := errorBody{Error: e.Code, Message: e.Message, Current: e.Current, Conflicts: e.Conflicts, Faults: e.Faults, ReportID: e.ReportID}
	if len(e.Issues) > 0 {
		body.Issues = e.Issues
	}
	switch e.Code {
	case domain.CodeConflict, domain.CodeAlreadyClaimed:
		if e.Conflicts == nil {
			body.Message = ""
		}
	case domain.CodeInvalidPermissions:
		body.Message, body.Issues = "", e.GrantIssues
	case domain.CodeRateLimited:
		body.RetryAfter = max(1, int(e.RetryAfter.Seconds()+0.999))
		w.Header().Set("Retry-After", strconv.Itoa(body.RetryAfter))
	case domain.CodeUnavailable:
		w.Header().Set("Retry-After", strconv.Itoa(retryUnavailable))
	case domain.CodeUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if err := writeJSON(w, status, body); err != nil { // the current state in a conflict
		zerolog.Ctx(r.Context()).Error().Err(err).Msg("request failed")
		_ = writeJSON(w, http.StatusInternalServerError, errorBody{Error: codeInternal, Message: internalMessage})
	}
}

const internalMessage = "Something went wrong on our side; tell an operator the request id."

// classify converts any error that is not a domain.Error to `unavailable` or `internal`.
func classify(err error) *domain.Error {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e
	}
	var server *pgconn.PgError
	unreachable := postgres.Lost(err) || pgconn.Timeout(err)
	if !unreachable && errors.As(err, &server) {
		// Classes 40 (deadlock), 53 (resources), 57 (cancelled), and lock timeouts.
		unreachable = slices.Contains([]string{"40", "53", "57"}, server.Code[:2]) || server.Code == "55P03"
	}
	if unreachable || errors.Is(err, context.DeadlineExceeded) {
		return &domain.Error{Code: domain.CodeUnavailable, Message: "The database cannot be reached or is busy; try again shortly.", Cause: err}
	}
	return &domain.Error{Code: codeInternal, Message: internalMessage, Cause: err}
}
