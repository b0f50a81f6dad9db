package live

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A round hands what has happened since the one before to every connection. Writing
// to thousands of clients takes a while, and what else the server does must not wait
// for it: a round is spread over time, the more connections the longer, and what
// happens meanwhile goes with the next, in one write. So there are at most pace
// writes a second, however much happens, but a round takes no longer than longest.
const (
	pace    = 3000
	longest = 750 * time.Millisecond
	// stride is how many connections are told at once.
	stride = 20
)

// round is shared by all connections. Those that may see the same share the bytes.
type round struct {
	frames []*Frame
	upTo   int64 // in the log

	mu      sync.Mutex
	encoded map[string][]byte // by the key of a coverage
}

// bytes is what the connections of a coverage are sent, nil for nothing.
func (r *round) bytes(of covered) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, known := r.encoded[of.key]
	if !known {
		for _, f := range r.frames {
			if f.about.coveredBy(of.coverage) {
				b = append(b, f.bytes...)
			}
		}
		r.encoded[of.key] = b
	}
	return b
}

// round goes one, if there is anything to tell; it is false when nobody is there.
func (h *Hub) round(ctx context.Context) bool {
	r, to := h.begin()
	if len(r.frames) == 0 {
		return len(to) > 0
	}
	each := min(time.Second/pace, longest/time.Duration(max(len(to), 1)))
	next := time.Now()
	for some := range slices.Chunk(to, stride) {
		for _, c := range some {
			if !c.offer(r) {
				h.drop(c)
			}
		}
		next = next.Add(each * time.Duration(len(some)))
		select {
		case <-ctx.Done():
		case <-h.stop:
		case <-time.After(time.Until(next)):
		}
	}
	return len(to) > 0
}

// begin gives what is to be told, and the connections that are there now: those that
// come later have what the round brings from the ring.
func (h *Hub) begin() (*round, []*Connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := &round{frames: h.pending, upTo: h.head, encoded: make(map[string][]byte)}
	h.pending, h.told = nil, h.head
	to := make([]*Connection, 0, len(h.connections))
	for c := range h.connections {
		to = append(to, c)
	}
	return r, to
}

// drop ends a connection whose client is too slow.
func (h *Hub) drop(c *Connection) {
	c.end()
	h.remove(c)
	h.dropped.Inc()
}
