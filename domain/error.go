// Package domain holds what every rule of Docket shares, such as the errors that a
// caller may be told of. The rules themselves are in the packages below it.
package domain

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code names a kind of error for programs; http/errors.go alone maps codes to statuses.
type Code string

// The codes of contract section 1.
const (
	CodeValidationFailed   Code = "validation_failed"
	CodeInvalidCursor      Code = "invalid_cursor"
	CodeInvalidPermissions Code = "invalid_permissions"
	CodeUnauthorized       Code = "unauthorized"
	CodeInvalidCredentials Code = "invalid_credentials"
	CodeForbidden          Code = "forbidden"
	CodeNotFound           Code = "not_found"
	CodeConflict           Code = "conflict"
	CodeAlreadyClaimed     Code = "already_claimed"
	CodeAlreadyReported    Code = "already_reported"
	CodeAlreadyExists      Code = "already_exists"
	CodeInvalidState       Code = "invalid_state"
	CodeActionUnavailable  Code = "action_unavailable"
	CodeActionFailed       Code = "action_failed"
	CodeRateLimited        Code = "rate_limited"
	CodeUnavailable        Code = "unavailable"
)

// Issue is one fault of an input. Path reads as `permissions[2].scope.ids[0]`.
type Issue struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error is an error that its cause may be told of. Any other error is internal.
type Error struct {
	Code    Code
	Message string // one sentence for a person

	Issues     []Issue       // with CodeValidationFailed: every fault at once
	ReportID   string        // with CodeAlreadyReported: the open report
	RetryAfter time.Duration // with CodeRateLimited
	Cause      error         // never shown to a client

	GrantIssues any // with CodeInvalidPermissions: the issues of spec section 7
	Current     any // with a conflict: the report as the caller may see it now
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Message)
	for _, issue := range e.Issues {
		fmt.Fprintf(&b, "; %s: %s", issue.Path, issue.Message)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Cause }

// Is lets errors.Is(err, &Error{Code: c}) match by code alone.
func (e *Error) Is(other error) bool {
	o, ok := other.(*Error)
	return ok && o.Code == e.Code
}

// Errorf makes an Error with a message for a person.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotFound is the one answer for what is not there and for what the caller may not know of.
func NotFound() *Error { return Errorf(CodeNotFound, "There is no such thing, or you may not see it.") }

// Invalid reports the faults of an input, or nil when there are none.
func Invalid(issues ...Issue) error {
	if len(issues) == 0 {
		return nil
	}
	return &Error{Code: CodeValidationFailed, Message: "The request is not valid; see issues.", Issues: issues}
}

// ErrorCode is the code of err, or "" when err is nil or internal.
func ErrorCode(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
