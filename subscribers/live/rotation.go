package live

import (
	"context"
	"sync"
	"time"
)

// The hub tells connections in turn. Writing to thousands of clients is work that
// everything else on the server would wait for, so they are not all told at once:
// each, when its turn comes, gets in one write what has happened since its last. As
// long as there is something to tell there are that many writes a second, however
// much happens; what was saved up in a silence, for one turn of all, is spent swiftly.
const (
	sustained = 1500 // writes a second
	swift     = 8000
	// longest bounds how long one turn of all takes, with however many connections.
	longest = 1500 * time.Millisecond
	// stride is how many connections are told at once.
	stride = 20
)

// news is what has happened since a place in the ring, shared by the connections
// that were told everything up to there.
type news struct {
	frames   []*Frame
	serial   int64 // of the ring's end
	position int64 // in the log, of what was read

	mu      sync.Mutex
	encoded map[string][]byte // by the key of a coverage
}

// bytes is what the connections of a coverage are sent, nil for nothing.
func (n *news) bytes(of covered) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	b, known := n.encoded[of.key]
	if !known {
		for _, f := range n.frames {
			if f.about.coveredBy(of.coverage) {
				b = append(b, f.bytes...)
			}
		}
		n.encoded[of.key] = b
	}
	return b
}

// tell goes on with the turns until everybody knows everything, or until it is time
// to look for more; then it is true.
func (h *Hub) tell(ctx context.Context) bool {
	for look := time.Now().Add(h.config.Poll); time.Now().Before(look); {
		told, of := h.tellNext()
		if told == 0 {
			return false
		}
		select {
		case <-ctx.Done():
			return true
		case <-h.stop:
			return true
		case <-time.After(h.pause(told, of, time.Now())):
		}
	}
	return true
}

// pause is how long to wait after some of all connections were told.
func (h *Hub) pause(told, of int, now time.Time) time.Duration {
	each := min(time.Second/sustained, longest/time.Duration(of))
	if saved := now.Add(-each * time.Duration(of)); h.due.Before(saved) {
		h.due = saved
	}
	h.due = h.due.Add(each * time.Duration(told))
	return max(h.due.Sub(now), min(time.Second/swift, each)*time.Duration(told))
}

// tellNext tells the next few connections that do not know everything, and gives how
// many those were, of how many that are open.
func (h *Hub) tellNext() (told, of int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of = len(h.order)
	since := make(map[int64]*news)
	for seen := 0; seen < of && told < stride && len(h.order) > 0; seen++ {
		h.turn = (h.turn + 1) % len(h.order)
		c := h.order[h.turn]
		if c.serial == h.serial {
			continue
		}
		told++
		n := since[c.serial]
		if n == nil {
			n = h.since(c.serial)
			since[c.serial] = n
		}
		if n == nil || !c.offer(n) {
			c.end()
			h.take(c)
			h.dropped.Inc()
			continue
		}
		c.serial = n.serial
	}
	return told, of
}

// since gives what came after a place in the ring, or nil if that is no longer in it.
// It needs the lock.
func (h *Hub) since(serial int64) *news {
	missed := h.serial - serial
	if missed > int64(len(h.ring)) {
		return nil
	}
	frames := append([]*Frame(nil), h.ring[int64(len(h.ring))-missed:]...)
	return &news{frames: frames, serial: h.serial, position: h.head, encoded: make(map[string][]byte)}
}
