package http

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"
)

// liveStream is the connection of a live feed, taken over from the server, which
// would put what there is through buffers of its own and write it in three pieces:
// with thousands of feeds that is most of what they cost. Its answer ends with the
// connection.
type liveStream struct {
	conn  net.Conn
	gone  chan struct{} // closed when the client has gone
	err   error         // the first of writing; nothing is sent after it
	until time.Time     // the deadline of writing that is set
}

// openLiveStream answers with the headers that were set. Whoever calls it closes it.
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

// listen waits for the client to go. It has nothing to say: a word from it ends the
// feed too.
func (s *liveStream) listen() {
	defer close(s.gone)
	_, _ = s.conn.Read(make([]byte, 1))
}

// send writes chunks at once. A client has liveWrite to take them, or up to twice
// that, since a deadline costs about as much as a small write and is kept a while.
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
