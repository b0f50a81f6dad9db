package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/docketmod/docket/domain/permission"
)

// maxBehind is how many bytes of earlier turns may wait for a client before it is
// dropped: one that does not read must not be waited for, and comes back with the
// last id that it saw.
const maxBehind = 64 << 10

// Connection is one open board. Its owner takes what there is whenever there is
// News, and in the end calls Close.
type Connection struct {
	hub     *Hub
	cursors *cursors
	news    chan struct{}

	// Both are guarded by the hub's lock.
	serial int64 // the place in the ring up to which it was told
	place  int   // in the hub's order

	mu       sync.Mutex
	sees     covered
	waiting  []*news
	behind   int   // bytes of what waits
	position int64 // in the log, up to which the client was offered everything
	ended    bool
}

// covered is a coverage with a key, by which connections that see the same know it.
type covered struct {
	coverage permission.Coverage
	key      string
}

// News has a value when there is something to take, the end included.
func (c *Connection) News() <-chan struct{} { return c.news }

// Take gives what is to be sent, in order, by what the connection may see now. It is
// false once the hub has stopped, or the client was too slow.
func (c *Connection) Take() (chunks [][]byte, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.waiting {
		if b := n.bytes(c.sees); len(b) > 0 {
			chunks = append(chunks, b)
		}
	}
	c.waiting, c.behind = nil, 0
	return chunks, !c.ended
}

// Cover changes what the connection may see, from the next Take on.
func (c *Connection) Cover(coverage permission.Coverage) error {
	key, err := json.Marshal(coverage)
	if err != nil {
		return fmt.Errorf("key of a coverage: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sees = covered{coverage, string(key)}
	return nil
}

// Heartbeat is a comment that keeps the connection open. Unless something waits to be
// taken, it carries an id that stands for everything up to now, seen or not, so that
// a client which sees little can still go on from there.
func (c *Connection) Heartbeat() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		return []byte(": heartbeat\n\n")
	}
	return append([]byte(": heartbeat\n"), c.cursors.mark(c.position, rand.Uint32())...)
}

// Close takes the connection off the hub.
func (c *Connection) Close() {
	c.hub.remove(c)
	c.end()
}

// offer never blocks; false drops the connection.
func (c *Connection) offer(n *news) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(n.bytes(c.sees))
	switch {
	case c.ended:
		return true
	case size == 0 && len(c.waiting) == 0:
		c.position = n.position
		return true
	case len(c.waiting) > 0 && c.behind+size > maxBehind:
		return false
	}
	c.waiting, c.behind, c.position = append(c.waiting, n), c.behind+size, n.position
	c.tell()
	return true
}

func (c *Connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.tell()
}

// tell never blocks: one value stands for everything that waits.
func (c *Connection) tell() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}
