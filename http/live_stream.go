package http

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"
)

// liveStream is the connection of a live feed, hijacked from the server. The server would
// copy each chunk through its buffers and write it in three pieces, which is most of the
// cost of thousands of feeds. The answer ends with the connection.
type liveStream struct {
	conn  net.Conn
	gone  chan struct{} // closed when the client has gone
	err   error         // the first error of a write; nothing is sent after it
	until time.Time     // the write deadline that is set
}

// openLiveStream sends the headers that were set. The caller must close the stream.
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

// send writes chunks at once. A client has between one and two times liveWrite to accept
// them: setting a deadline costs about as much as a small write, so each is used for a while.
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
