// Package domain holds what all of Docket's rules share, such as the errors that clients see. The rules are in the
// packages below it. Other modules must not import it. Routes of plugins are the exception: they return
// the errors of Errorf and NotFound.
package domain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Code identifies a kind of error to programs. Only http/errors.go maps codes to statuses.
type Code string

// The codes that API answers carry in their member `error`.
const (
	CodeValidationFailed   Code = "validation_failed"
	CodeInvalidCursor      Code = "invalid_cursor"
	CodeInvalidPermissions Code = "invalid_permissions"
	CodeUnauthorized       Code = "unauthorized"
	CodeInvalidCredentials Code = "invalid_credentials"
	CodeForbidden          Code = "forbidden"
	CodeFactorRequired     Code = "factor_required"
	CodeSignInAgain        Code = "sign_in_again"
	CodeNotFound           Code = "not_found"
	CodeConflict           Code = "conflict"
	CodeAlreadyClaimed     Code = "already_claimed"
	CodeAlreadyReported    Code = "already_reported"
	CodeAlreadyExists      Code = "already_exists"
	CodeInvalidState       Code = "invalid_state"
	CodeActionUnavailable  Code = "action_unavailable"
	CodeActionFailed       Code = "action_failed"
	CodeOwnDecision        Code = "own_decision"
	CodeAlreadyAppealed    Code = "already_appealed"
	CodeAppealClosed       Code = "appeal_closed"
	CodeSuspended          Code = "suspended"
	CodeHeld               Code = "held"
	CodeRateLimited        Code = "rate_limited"
	CodeUnavailable        Code = "unavailable"
)

// Issue is one fault of an input. Path has the form `permissions[2].scope.ids[0]`.
type Issue struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
	// The position in the text at Path, from 1 and in code points; 0 if the fault is about all of
	// it.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// String returns the issue for a person, after its path if it has one.
func (i Issue) String() string { return strings.TrimPrefix(i.Path+": ", ": ") + i.Message }

// Issues are the faults of an input.
type Issues []Issue

// Add adds a fault. Its message is formatted as by fmt.Sprintf.
func (i *Issues) Add(path, code, format string, args ...any) {
	*i = append(*i, Issue{Path: path, Code: code, Message: fmt.Sprintf(format, args...)})
}

// HasIssue reports whether one of the issues is about path or about a field that contains it. A field gets at
// most one issue, and an invalid field gets none about its parts.
func HasIssue(issues []Issue, path string) bool {
	return slices.ContainsFunc(issues, func(i Issue) bool {
		rest, ok := strings.CutPrefix(path, i.Path)
		return ok && (rest == "" || i.Path == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// Error is an error that clients may see. Every other error is internal.
type Error struct {
	Code    Code
	Message string // one sentence for a person

	Issues     []Issue       // of an invalid request: all its faults
	ReportID   string        // with CodeAlreadyReported: the open report
	RetryAfter time.Duration // with CodeRateLimited
	Cause      error         // never shown to a client

	GrantIssues any // with CodeInvalidPermissions: []permission.GrantIssue
	Current     any // with a conflict: the current report as the caller sees it
	Faults      any // of an invalid manifest, with lines
	Conflicts   any // with a conflict about a case: the current reports, each with its id
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Message)
	for _, issue := range e.Issues {
		b.WriteString("; " + issue.String())
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

// Errorf returns an Error with a message for people.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotFound returns the error for things that do not exist or that the caller must not know about.
func NotFound() *Error {
	return Errorf(CodeNotFound, "It does not exist, or you are not allowed to see it.")
}

// Invalid returns an error with all faults of an input, or nil if there are none.
func Invalid(issues ...Issue) error {
	if len(issues) == 0 {
		return nil
	}
	return &Error{Code: CodeValidationFailed, Message: "The request is not valid; see issues.", Issues: issues}
}

// ErrorCode returns the code of err, or "" if err is nil or internal.
func ErrorCode(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}
