package http

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
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
	// liveRecheck is how soon a feed ends after its session ended on another server. Changes of
	// staff entries and of second opinions apply before the next event.
	liveRecheck = 30 * time.Second
	// liveSpread is by how much the periodic work of feeds is spread over time.
	liveSpread = 2 * time.Second
	// liveWrite is how long a client may take to accept a write.
	liveWrite = 10 * time.Second
)

// Live has the routes of the board's live feed and of presence on reports.
type Live struct {
	Hub           *live.Hub
	Authenticator Authenticator
	// Authorize checks that the caller may view a report, as the detail route does.
	Authorize func(ctx context.Context, c *permission.Caller, reportID, need string) (*moderation.Authorized, error)
}

func (a *Live) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/live", moderator.withOwnTimeout(), a.stream},
		a.presenceRoute(),
	}
}

func (a *Live) stream(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if r.Method == http.MethodHead {
		return nil
	}
	q := readQuery(r)
	q.storable("lastEventId")
	if err := q.Err(); err != nil {
		return err
	}
	connection, first, err := a.Hub.Subscribe(r.Context(), live.Subscriber{UserID: callerOf(r).UserID, LastID: lastEventID(r),
		Coverage: func(ctx context.Context) (permission.Coverage, error) { return a.coverage(ctx, r) }})
	if err != nil {
		return err
	}
	defer connection.Close()
	w.Header().Set("X-Accel-Buffering", "no")
	s, err := openLiveStream(w)
	if err != nil {
		return err
	}
	defer s.close()
	s.send(first)
	a.follow(r, connection, s)
	return nil
}

// lastEventID is the id of the last event that the client received. A browser that reconnects sends
// it in the header, which a page cannot set when it opens a new feed.
func lastEventID(r *http.Request) string {
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		return id
	}
	return r.URL.Query().Get("lastEventId")
}

// follow sends events until the client disconnects, the hub stops, or the caller may not view any
// reports any more. The client learns the reason when it reconnects.
func (a *Live) follow(r *http.Request, connection *live.Connection, s *liveStream) {
	heartbeat := time.NewTicker(liveHeartbeat)
	defer heartbeat.Stop()
	recheck := time.NewTimer(liveRecheck + rand.N(liveSpread))
	defer recheck.Stop()
	changed := a.Hub.StaffChanged()
	for s.err == nil {
		select {
		case <-s.gone:
			return
		case <-connection.News():
			chunks, open := connection.Take()
			s.send(chunks...)
			if !open {
				return
			}
		case <-heartbeat.C:
			s.send(connection.Heartbeat())
		case <-changed:
			changed = a.Hub.StaffChanged()
			if connection.Changed() {
				recheck.Reset(rand.N(liveSpread))
			}
		case <-recheck.C:
			if !a.recheck(r, connection) {
				return
			}
			recheck.Reset(liveRecheck + rand.N(liveSpread))
		}
	}
}

// recheck reads again who sent the request and what the account may view now. If the database does
// not respond the feed stays open, since nothing can be sent meanwhile.
func (a *Live) recheck(r *http.Request, connection *live.Connection) bool {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	seen := a.Hub.Seen(callerOf(r).UserID)
	coverage, err := a.coverage(ctx, r)
	if err != nil {
		return domain.ErrorCode(err) == ""
	}
	return connection.Cover(coverage, seen) == nil
}

// coverage reads who sent the request and what the account may view now.
func (a *Live) coverage(ctx context.Context, r *http.Request) (permission.Coverage, error) {
	caller, err := a.Authenticator.Authenticate(ctx, credentialsOf(r))
	if err == nil {
		err = moderator.admit(caller, http.MethodGet)
	}
	if err != nil {
		return permission.Coverage{}, err
	}
	return caller.Coverage(permission.ViewReports), nil
}

// liveStream is the connection of a live feed, hijacked from the server. The server would copy each
// chunk through its buffers and write it in three pieces, which is most of the cost of thousands of
// feeds. The response ends with the connection.
type liveStream struct {
	conn  net.Conn
	gone  chan struct{} // closed when the client has gone
	err   error         // the first error of a write; nothing is sent after it
	until time.Time     // the write deadline that is set
}

// openLiveStream sends the response headers. The caller must close the stream.
func openLiveStream(w http.ResponseWriter) (*liveStream, error) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, fmt.Errorf("take over the connection of a live feed: %w", err)
	}
	s := &liveStream{conn: conn, gone: make(chan struct{})}
	s.err = conn.SetReadDeadline(time.Time{}) // the server's bound on reading a request
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n")
	_ = w.Header().Write(head) // a buffer takes everything
	head.WriteString("\r\n")
	s.send(head.Bytes())
	go s.listen()
	return s, nil
}

// listen waits until the client closes the connection. Anything that it sends ends the feed
// too.
func (s *liveStream) listen() {
	defer close(s.gone)
	_, _ = s.conn.Read(make([]byte, 1))
}

// send writes chunks without buffering. A client has between one and two times liveWrite to accept
// them: setting a deadline costs about as much as a small write, so a deadline is used for several
// writes.
func (s *liveStream) send(chunks ...[]byte) {
	if s.err != nil || len(chunks) == 0 {
		return
	}
	if now := time.Now(); s.until.Sub(now) < liveWrite {
		s.until = now.Add(2 * liveWrite)
		if s.err = s.conn.SetWriteDeadline(s.until); s.err != nil {
			return
		}
	}
	buffers := net.Buffers(chunks)
	_, s.err = buffers.WriteTo(s.conn)
}

func (s *liveStream) close() {
	_ = s.conn.Close()
	<-s.gone
}
