package http

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// maxRepeats is how often a request runs if its connection to the database is lost, and repeatPause
// the pause before each run but the first two.
const (
	maxRepeats  = 3
	repeatPause = 100 * time.Millisecond
)

const (
	nothingChanged = "The database cannot be reached or is busy. Nothing was changed. Try again shortly."
	mayBeChanged   = "The connection to the database was lost before it answered. The change may have been saved: look before you repeat it."
)

// repeating runs a handler again, on new connections, when the connection to the database is lost while the request
// cannot have committed anything. So a short failover fails no read, and fails a command only between its commit and
// the response; the error then says so. A handler that has begun its response does not run again.
func (s *server) repeating(h handler) handler {
	if s.Reconnect == nil {
		return h
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		body := &rewinder{rest: r.Body}
		for attempt := 1; ; attempt++ {
			ctx, writes := postgres.TrackWrites(r.Context())
			again := r.WithContext(ctx)
			again.Body = body.open()
			err := h(w, again)
			if err == nil || begun(w) {
				return err
			}
			lost := postgres.Lost(err)
			if lost && !postgres.Unreached(err) && attempt < maxRepeats {
				s.Reconnect()
			}
			unavailable := lost || classify(err).Code == domain.CodeUnavailable && domain.ErrorCode(err) == ""
			reads := r.Method == http.MethodGet || r.Method == http.MethodHead
			switch {
			case unavailable && writes.Any() && !reads:
				return &domain.Error{Code: domain.CodeUnavailable, Message: mayBeChanged, Cause: err}
			case lost && (attempt == maxRepeats || ctx.Err() != nil):
				return &domain.Error{Code: domain.CodeUnavailable, Message: nothingChanged, Cause: err}
			case !lost:
				return err
			case attempt > 1:
				select {
				case <-ctx.Done():
				case <-time.After(repeatPause):
				}
			}
		}
	}
}

// rewinder buffers what was read of a request's body, whose size handlers bound.
type rewinder struct {
	rest io.ReadCloser
	read bytes.Buffer
}

// open returns the body from its beginning.
func (b *rewinder) open() io.ReadCloser {
	seen := bytes.NewReader(bytes.Clone(b.read.Bytes()))
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(seen, io.TeeReader(b.rest, &b.read)), b.rest}
}
