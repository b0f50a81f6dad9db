// Package live tells moderators' open boards what happens (contract section 8): one
// reader of the sealed log on each server, whatever the number of connections.
package live

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// Config tunes a Hub; the zero value is good for a server.
type Config struct {
	Log     zerolog.Logger
	Metrics prometheus.Registerer // nil: none

	// Poll bounds how long a frame waits that another server sealed; Wake is for
	// those that this one did. 0: 250 ms.
	Poll time.Duration
	// Watch is how often presence and changes of staff are looked for while somebody
	// listens. 0: 1 s.
	Watch time.Duration
	// Keep is how many frames can be resumed from. 0: 4096.
	Keep int
	// MaxConnections bounds the open boards of this server. 0: 10,000.
	MaxConnections int
}

func (c *Config) setDefaults() {
	if c.Poll <= 0 {
		c.Poll = 250 * time.Millisecond
	}
	if c.Watch <= 0 {
		c.Watch = time.Second
	}
	if c.Keep <= 0 {
		c.Keep = 4096
	}
	if c.MaxConnections <= 0 {
		c.MaxConnections = 10_000
	}
}

// Hub reads the log and hands its frames to connections. Make one with NewHub and
// Run it; everything else is safe for concurrent use.
type Hub struct {
	pool    *pgxpool.Pool
	config  Config
	wake    chan struct{}
	asked   chan struct{} // somebody waits for a reading
	stop    chan struct{}
	stopped sync.Once
	open    prometheus.Gauge
	dropped prometheus.Counter

	due time.Time // when what was told is paid for; Run's own

	mu      sync.Mutex
	cursors *cursors
	ready   bool            // the log has been read for the first time
	waiting []chan struct{} // closed when it has been read from now on
	ring    []*Frame        // the last frames, oldest first
	before  int64           // position of the last frame that is not in the ring
	serial  int64           // how many frames there ever were: the place at the ring's end
	head    int64           // position of the last event read
	order   []*Connection   // in which they are told
	turn    int             // whose turn was last
	watched map[string]*watched
	staff   int64         // of the last change of staff that was seen
	changed chan struct{} // closed when staff change
	ended   bool
}

// NewHub makes a hub, which reads nothing before Run.
func NewHub(pool *pgxpool.Pool, config Config) (*Hub, error) {
	config.setDefaults()
	h := &Hub{
		pool: pool, config: config, wake: make(chan struct{}, 1), asked: make(chan struct{}, 1), stop: make(chan struct{}),
		watched: make(map[string]*watched), changed: make(chan struct{}),
		open:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "docket_live_connections", Help: "Open live feeds."}),
		dropped: prometheus.NewCounter(prometheus.CounterOpts{Name: "docket_live_dropped_total", Help: "Live feeds dropped because the client was too slow."}),
	}
	if config.Metrics != nil {
		for _, c := range []prometheus.Collector{h.open, h.dropped} {
			if err := config.Metrics.Register(c); err != nil {
				return nil, fmt.Errorf("register live metrics: %w", err)
			}
		}
	}
	return h, nil
}

// Wake asks for a look at the log soon; it never blocks.
func (h *Hub) Wake() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// Stop ends every connection and Run. A server that shuts down calls it: feeds have
// taken their connections over from it, so it neither ends them nor waits for them.
// More calls do nothing.
func (h *Hub) Stop() { h.stopped.Do(func() { close(h.stop) }) }

// Run reads and tells until ctx ends or Stop is called; then it ends every connection.
// While nobody listens it asks the database nothing. Failures are logged and tried
// again.
func (h *Hub) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer h.endAll()
	poll, watch := time.NewTicker(h.config.Poll), time.NewTicker(h.config.Watch)
	defer poll.Stop()
	defer watch.Stop()
	for ctx.Err() == nil {
		h.attempt(ctx, "reading the log", h.readOn)
		var again <-chan time.Time
		if h.tell(ctx) {
			again = time.After(0)
		}
		select {
		case <-ctx.Done():
		case <-h.stop:
			return
		case <-again:
		case <-h.wake:
		case <-h.asked:
		case <-poll.C:
		case <-watch.C:
			h.watchOn(ctx)
		}
	}
}

func (h *Hub) attempt(ctx context.Context, what string, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := do(ctx); err != nil && ctx.Err() == nil {
		h.config.Log.Warn().Err(err).Msg("live feed: " + what + " failed")
	}
}

// Subscribe opens a connection that sees what the coverage covers: from the last id
// on when there is one, else from now. The frames of the answer come before those of
// the connection. It fails with unavailable while the log has not been read, or when
// the server has as many connections as it takes.
func (h *Hub) Subscribe(ctx context.Context, coverage permission.Coverage, lastID string) (*Connection, [][]byte, error) {
	if err := h.catchUp(ctx, lastID); err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ended || !h.ready:
		return nil, nil, notThere()
	case len(h.order) >= h.config.MaxConnections:
		return nil, nil, domain.Errorf(domain.CodeUnavailable, "This server has as many live feeds open as it takes; try again shortly.")
	}
	c := &Connection{hub: h, cursors: h.cursors, position: h.head, serial: h.serial, news: make(chan struct{}, 1)}
	if err := c.Cover(coverage); err != nil {
		return nil, nil, err
	}
	first, err := h.resume(coverage, lastID)
	if err != nil {
		return nil, nil, err
	}
	for id, w := range h.watched {
		if w.about.coveredBy(coverage) {
			bytes, err := write("", "presence", presence{id, w.viewers})
			if err != nil {
				return nil, nil, err
			}
			first = append(first, bytes)
		}
	}
	c.place = len(h.order)
	h.order = append(h.order, c)
	h.open.Set(float64(len(h.order)))
	return c, first, nil
}

// resume gives what came after the last id; a reset when that is not known any more.
func (h *Hub) resume(coverage permission.Coverage, lastID string) ([][]byte, error) {
	if lastID == "" {
		return [][]byte{h.cursors.mark(h.head, 0)}, nil
	}
	position, ok := h.cursors.decode(lastID)
	if !ok || position < h.before || position > h.head+readBatch {
		bytes, err := write(h.cursors.encode(h.head, 0), "reset", struct{}{})
		return [][]byte{bytes}, err
	}
	var missed [][]byte
	from, _ := slices.BinarySearchFunc(h.ring, position+1, func(f *Frame, p int64) int { return int(f.position - p) })
	for _, f := range h.ring[from:] {
		if f.about.coveredBy(coverage) {
			missed = append(missed, f.bytes)
		}
	}
	return missed, nil
}

// StaffChanged is closed when what somebody may do has changed: connections then ask
// anew what theirs may. While there are none it is not looked for, and the first one
// is told then.
func (h *Hub) StaffChanged() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

func (h *Hub) remove(c *Connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.take(c)
}

// take takes a connection out of the order, if it is still there; the last one gets
// its place. It needs the lock.
func (h *Hub) take(c *Connection) {
	if c.place >= len(h.order) || h.order[c.place] != c {
		return
	}
	last := len(h.order) - 1
	h.order[c.place] = h.order[last]
	h.order[c.place].place = c.place
	h.order[last] = nil
	h.order = h.order[:last]
	h.open.Set(float64(last))
}

func (h *Hub) endAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.disconnect()
	answer(h.waiting)
	h.waiting = nil
}

// disconnect needs the lock.
func (h *Hub) disconnect() {
	for _, c := range h.order {
		c.end()
	}
	h.order = nil
	h.open.Set(0)
}
