package http

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/subscribers/live"
)

// The times of a live feed.
const (
	liveHeartbeat = 15 * time.Second
	// liveRecheck is how soon a session that ended elsewhere ends its feed; a change
	// of staff is seen within seconds.
	liveRecheck = 30 * time.Second
	// liveSpread spreads what all feeds do at once over some time.
	liveSpread = 2 * time.Second
	// liveWrite is how long a client may take to accept a frame.
	liveWrite = 10 * time.Second
)

// Live is the live feed of the board and who looks at what (contract sections 8 and 12).
type Live struct {
	Hub           *live.Hub
	Authenticator Authenticator
	// Authorize answers for a report that the caller may view, as the detail route does.
	Authorize func(ctx context.Context, c *permission.Caller, reportID, need string) (*moderation.Authorized, error)
}

func (a *Live) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/live", moderator.withoutHurry(), a.stream},
		{http.MethodPost, "/moderation/reports/{id}/presence", moderator, a.look},
	}
}

func (a *Live) look(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	c := callerOf(r)
	if _, err := a.Authorize(r.Context(), c, id, ""); err != nil {
		return err
	}
	if err := a.Hub.Look(r.Context(), id, c.UserID, c.Name); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *Live) stream(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if r.Method == http.MethodHead {
		return nil
	}
	connection, first, err := a.Hub.Subscribe(callerOf(r).Moderator.Coverage(permission.ViewReports), r.Header.Get("Last-Event-ID"))
	if err != nil {
		return err
	}
	defer connection.Close()
	control := http.NewResponseController(w)
	// The server's bound on reading a request would end the stream.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)

	s := &liveStream{w: w, control: control}
	for _, frame := range first {
		s.write(frame)
	}
	s.flush()
	a.follow(r, connection, s)
	return nil
}

// follow sends until the client goes, the hub stops, or the caller may no longer see
// anything; the client then finds out why when it comes back.
func (a *Live) follow(r *http.Request, connection *live.Connection, s *liveStream) {
	heartbeat := time.NewTicker(liveHeartbeat)
	defer heartbeat.Stop()
	recheck := time.NewTimer(liveRecheck + rand.N(liveSpread))
	defer recheck.Stop()
	changed := a.Hub.StaffChanged()
	for s.err == nil {
		select {
		case <-r.Context().Done():
			return
		case frame, more := <-connection.Frames():
			if !more {
				return
			}
			s.send(connection, frame)
		case <-heartbeat.C:
			s.write(connection.Heartbeat())
			s.flush()
		case <-changed:
			changed = a.Hub.StaffChanged()
			recheck.Reset(rand.N(liveSpread))
		case <-recheck.C:
			if !a.recheck(r, connection) {
				return
			}
			recheck.Reset(liveRecheck + rand.N(liveSpread))
		}
	}
}

// recheck asks anew who sent the request and what the account may see now. A
// database that does not answer is no reason to end the feed: there is nothing to
// send without it either.
func (a *Live) recheck(r *http.Request, connection *live.Connection) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	caller, err := a.Authenticator.Authenticate(ctx, credentialsOf(r))
	if err != nil {
		return domain.ErrorCode(err) == ""
	}
	if moderator.admit(caller, http.MethodGet) != nil {
		return false
	}
	connection.Cover(caller.Moderator.Coverage(permission.ViewReports))
	return true
}

// liveStream writes frames and keeps the first error.
type liveStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	err     error
}

// send writes a frame and those that wait behind it, and flushes once.
func (s *liveStream) send(connection *live.Connection, frame *live.Frame) {
	for more := true; more && s.err == nil; {
		if connection.May(frame) {
			s.write(frame.Bytes())
		}
		select {
		case frame, more = <-connection.Frames():
		default:
			more = false
		}
	}
	s.flush()
}

func (s *liveStream) write(b []byte) {
	if s.err != nil {
		return
	}
	if err := s.control.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		s.err = err
		return
	}
	_, s.err = s.w.Write(b)
}

func (s *liveStream) flush() {
	if s.err == nil {
		s.err = s.control.Flush()
	}
}
