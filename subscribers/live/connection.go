package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/docketmod/docket/domain/permission"
)

// maxBehind is how many bytes may wait for a client before it is dropped. A slow client reconnects
// with its last id.
const maxBehind = 64 << 10

// Connection is one open board. Its owner must call Take whenever News has a value, and
// Close at the end.
type Connection struct {
	hub     *Hub
	user    string
	cursors *cursors
	news    chan struct{}

	// The hub's lock guards serial and place.
	serial int64 // the place in the ring up to which it was served
	place  int   // index in the hub's order

	mu       sync.Mutex
	sees     covered
	seen     Seen // the result of Hub.Seen when sees was read
	waiting  []*news
	behind   int   // bytes of waiting
	position int64 // in the log, up to which all events were offered
	ended    bool
}

// covered is a coverage with a key, which is equal for equal coverages.
type covered struct {
	coverage permission.Coverage
	key      string
}

// News has a value when Take has something to return, or the connection has ended.
func (c *Connection) News() <-chan struct{} { return c.news }

// Take returns the frames to send, in order, within the connection's present coverage. It returns
// nothing if the coverage may have shrunk since Cover. open is false if the hub has stopped, or if
// the client was too slow.
func (c *Connection) Take() (chunks [][]byte, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outdated() {
		return nil, !c.ended
	}
	for _, n := range c.waiting {
		if b := n.bytes(c.sees); len(b) > 0 {
			chunks = append(chunks, b)
		}
	}
	c.waiting, c.behind = nil, 0
	return chunks, !c.ended
}

// outdated reports whether the coverage may have shrunk since Cover. The connection's lock must be held.
func (c *Connection) outdated() bool { return c.seen.outdated(c.hub.Seen(c.user)) }

// Changed reports whether the coverage may have changed since Cover.
func (c *Connection) Changed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen != c.hub.Seen(c.user)
}

// before puts news in front of the waiting ones.
func (c *Connection) before(n *news) {
	if len(n.frames) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = slices.Insert(c.waiting, 0, n)
	c.notify()
}

// Cover sets the connection's coverage for the next Take. seen is the result of Hub.Seen from
// before the coverage was read.
func (c *Connection) Cover(coverage permission.Coverage, seen Seen) error {
	key, err := json.Marshal(coverage)
	if err != nil {
		return fmt.Errorf("key of a coverage: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sees, c.seen = covered{coverage, string(key)}, seen
	if len(c.waiting) > 0 {
		c.notify()
	}
	return nil
}

// Heartbeat returns a comment that keeps the connection open. Unless frames are waiting, it
// contains the id of the position reached, so that a client with few events can also resume from
// there.
func (c *Connection) Heartbeat() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		return []byte(": heartbeat\n\n")
	}
	return append([]byte(": heartbeat\n"), c.cursors.mark(c.position, rand.Uint32())...)
}

// Close removes the connection from the hub.
func (c *Connection) Close() {
	c.hub.mu.Lock()
	c.hub.take(c)
	c.hub.mu.Unlock()
	c.end()
}

// offer adds news to the waiting ones. It never blocks. If it returns false, the connection must be
// dropped.
func (c *Connection) offer(n *news) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(n.bytes(c.sees))
	switch {
	case c.ended:
		return true
	case size == 0 && len(c.waiting) == 0 && !c.outdated():
		c.position = n.position
		return true
	case len(c.waiting) > 0 && c.behind+size > maxBehind:
		return false
	}
	c.waiting, c.behind, c.position = append(c.waiting, n), c.behind+size, n.position
	c.notify()
	return true
}

func (c *Connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.notify()
}

// notify never blocks: one value is enough for all waiting news.
func (c *Connection) notify() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}
