package live

import (
	"math/rand/v2"
	"sync"

	"github.com/docketmod/docket/domain/permission"
)

// queued is how many frames a connection may be behind before it is dropped: a
// client that does not read must not be waited for, and comes back with the last id
// that it saw.
const queued = 256

// Connection is one open board. Its owner reads Frames until they end, and then
// calls Close.
type Connection struct {
	hub    *Hub
	frames chan *Frame

	mu       sync.Mutex
	coverage permission.Coverage
	ended    bool
}

// Frames are what is to be sent, in order. The channel ends when the hub stops, or
// when the client was too slow.
func (c *Connection) Frames() <-chan *Frame { return c.frames }

// Cover changes what the connection may see, from the next frame on, those that
// wait to be sent included.
func (c *Connection) Cover(coverage permission.Coverage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.coverage = coverage
}

// May tells whether a frame may still be sent.
func (c *Connection) May(f *Frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return f.about.coveredBy(c.coverage)
}

// Heartbeat is a comment that keeps the connection open. Unless frames wait to be
// sent, it carries an id that stands for everything up to now, seen or not, so that
// a client which sees little can still go on from there.
func (c *Connection) Heartbeat() []byte {
	c.hub.mu.Lock() // frames are offered under this lock
	defer c.hub.mu.Unlock()
	if len(c.frames) > 0 {
		return []byte(": heartbeat\n\n")
	}
	return append([]byte(": heartbeat\n"), c.hub.mark(rand.Uint32())...)
}

// Close takes the connection off the hub.
func (c *Connection) Close() {
	c.hub.remove(c)
	c.end()
}

// offer never blocks; false drops the connection.
func (c *Connection) offer(f *Frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || !f.about.coveredBy(c.coverage) {
		return true
	}
	select {
	case c.frames <- f:
		return true
	default:
		return false
	}
}

func (c *Connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended = true
		close(c.frames)
	}
}
