package target

import (
	"context"
	"errors"
	"time"
)

// RemoteTask is the name of the task that sends a requested action or measure to the content's platform.
// Its payload is a RemotePayload.
const RemoteTask = "remote.action"

// RemoteAttempts is how many times a requested action or measure is sent to a platform that does not answer. The queue
// spreads them over at least a day: three quarters of them are up to an hour apart. Then the request fails, its actor
// is notified, and it can be made again.
const RemoteAttempts = 39

// RemotePayload identifies a request.
type RemotePayload struct {
	ReportID string `json:"reportId"`
	Sequence int    `json:"sequence"`
}

// RemoteRequest is a requested action. MessageID is the same for every delivery.
type RemoteRequest struct {
	MessageID string
	TargetID  string
	ReportID  string
	ActorID   string // "" once the account is deleted
	ActorName string
	At        time.Time
}

// RemoteMeasure is a measure that the platform is requested to carry out, or to lift if Ends is set.
type RemoteMeasure struct {
	RemoteRequest
	MeasureID string
	AuthorID  string // as the snapshot names the author
	Kind      MeasureKind
	Until     *time.Time // nil means without an end
	Ends      bool
}

// RemoteResult is the answer of the platform that holds the content.
type RemoteResult struct {
	Changed bool
	Refused string // why the request was permanently refused; "" if it was done
}

// ErrScopeUnknown is returned by ResolveScope if the target exists but its scope cannot be
// determined now. The stored scope stays valid.
var ErrScopeUnknown = errors.New("the scope is not known")

type cacheKey struct{}

// NotBefore returns a context in which a definition must not answer from a cache that was
// filled before t. Commands use it to decide on the present state.
func NotBefore(ctx context.Context, t time.Time) context.Context {
	return context.WithValue(ctx, cacheKey{}, t)
}

// CachedSince returns the time of NotBefore, or the zero time.
func CachedSince(ctx context.Context) time.Time {
	t, _ := ctx.Value(cacheKey{}).(time.Time)
	return t
}
