package live

import (
	"context"
	"slices"
	"sync"
	"time"
)

// The hub serves connections in turn. Writing to thousands of clients at once would
// delay everything else on the server, so each connection gets everything since its last
// turn in one write, and the number of writes per second is bounded. After an idle period,
// all connections may be served once at a higher rate.
const (
	sustainedRate = 1500 // writes per second
	burstRate     = 8000 // writes per second after an idle period
	// maxTurn bounds the time in which all connections are served once.
	maxTurn = 1500 * time.Millisecond
	// servedAtOnce is how many connections are served without a pause.
	servedAtOnce = 20
)

// news are the frames after a position in the ring. Connections that were served up to that
// position share it.
type news struct {
	frames   []*Frame
	serial   int64 // of the ring's end
	position int64 // in the log, of the last event read

	mu      sync.Mutex
	encoded map[string][]byte // by the key of a coverage
}

// bytes returns the encoded frames within a coverage; nil if there are none.
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

// serve serves connections until all are up to date, or until it is time to read the log again,
// when it returns true.
func (h *Hub) serve(ctx context.Context) bool {
	for deadline := time.Now().Add(h.poll); time.Now().Before(deadline); {
		served, of := h.serveNext()
		if served == 0 {
			return false
		}
		select {
		case <-ctx.Done():
			return true
		case <-h.stop:
			return true
		case <-time.After(h.pause(served, of, time.Now())):
		}
	}
	return true
}

// pause returns how long to wait after serving some connections. of is the number of all
// connections.
func (h *Hub) pause(served, of int, now time.Time) time.Duration {
	each := min(time.Second/sustainedRate, maxTurn/time.Duration(of))
	if saved := now.Add(-each * time.Duration(of)); h.due.Before(saved) {
		h.due = saved
	}
	h.due = h.due.Add(each * time.Duration(served))
	return max(h.due.Sub(now), min(time.Second/burstRate, each)*time.Duration(served))
}

// serveNext serves the next few connections that are not up to date. It returns how many it served,
// and how many are open.
func (h *Hub) serveNext() (served, of int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of = len(h.order)
	since := make(map[int64]*news)
	for seen := 0; seen < of && served < servedAtOnce && len(h.order) > 0; seen++ {
		h.turn = (h.turn + 1) % len(h.order)
		c := h.order[h.turn]
		if c.serial == h.serial {
			continue
		}
		served++
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
	return served, of
}

// since returns the news after a position in the ring, or nil if the ring no longer has it. The
// hub's lock must be held.
func (h *Hub) since(serial int64) *news {
	missed := h.serial - serial
	if missed > int64(len(h.ring)) {
		return nil
	}
	frames := slices.Clone(h.ring[int64(len(h.ring))-missed:])
	return &news{frames: frames, serial: h.serial, position: h.head, encoded: make(map[string][]byte)}
}
