// Package live pushes changes to moderators' open boards, as server-sent events. Each server has one reader of the
// sealed log, however many connections it has. Other modules must not import it.
package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// maxPerUser bounds the connections of one account.
const maxPerUser = 20

// Hub reads the log and sends its frames to connections. Make one with NewHub and Run
// it. All methods but Run are safe for concurrent use.
type Hub struct {
	pool    *pgxpool.Pool
	log     zerolog.Logger
	poll    time.Duration // how often the log is read for events that other servers sealed; Wake announces those of this one
	watch   time.Duration // how often presence and changes of staff are read while there are connections
	keep    int           // how many frames a client can resume across
	max     int           // connections of this server
	wake    chan struct{}
	stop    chan struct{}
	stopped sync.Once
	open    prometheus.Gauge
	dropped prometheus.Counter

	due time.Time // when the writes so far are within sustainedRate; only Run uses it

	mu      sync.Mutex
	cursors *cursors
	ready   bool            // the log has been read for the first time
	waiting []chan struct{} // closed once the log has been read again
	ring    []*Frame        // the last frames, oldest first
	before  int64           // position of the last frame before the ring
	serial  int64           // number of frames so far: the position of the ring's end
	head    int64           // position of the last event read
	order   []*Connection   // in which they are served
	turn    int             // index of the connection served last
	watched map[string]*watched
	users   map[string]int // connections of each account
	rights  atomic.Pointer[rights]
	changed chan struct{} // closed when anybody's permissions change
	ended   bool
}

// rights record when permissions last changed and when turns at second opinions end, as far as the hub knows.
type rights struct {
	staff int64            // position of the last change of permissions
	turns map[string]int64 // until when an account gives a second opinion, by account; later turns end later
}

// Seen is when the permissions of one account changed, as far as the hub knew at some time.
type Seen struct{ staff, turn int64 }

// outdated reports whether the account may have lost permissions since. The end of a turn at a second opinion removes
// none.
func (s Seen) outdated(now Seen) bool { return s.staff < now.staff || s.turn < now.turn }

// NewHub returns a hub. It reads nothing before Run.
func NewHub(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *Hub {
	h := &Hub{
		pool: pool, log: log, poll: 250 * time.Millisecond, watch: time.Second, keep: 4096, max: 10_000, wake: make(chan struct{}, 1), stop: make(chan struct{}),
		watched: make(map[string]*watched), users: make(map[string]int), changed: make(chan struct{}),
	}
	h.rights.Store(&rights{})
	h.addMetrics(metrics)
	return h
}

// Wake makes the hub read the log soon. It never blocks.
func (h *Hub) Wake() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// Stop ends every connection and Run. A server calls it to shut down, because net/http neither ends nor waits for
// hijacked connections. Further calls do nothing.
func (h *Hub) Stop() { h.stopped.Do(func() { close(h.stop) }) }

// Run reads and sends until ctx is done or Stop is called, and then ends every connection. After the first read of the
// log, it does not query the database while there are neither connections nor subscribers that wait for one. Failures
// are logged and retried.
func (h *Hub) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer h.endAll()
	poll, watch := time.NewTicker(h.poll), time.NewTicker(h.watch)
	defer poll.Stop()
	defer watch.Stop()
	for ctx.Err() == nil {
		h.attempt(ctx, "reading the log", h.readIfWanted)
		var again <-chan time.Time
		if h.serve(ctx) {
			again = time.After(0)
		}
		select {
		case <-ctx.Done():
		case <-h.stop:
			return
		case <-again:
		case <-h.wake:
		case <-poll.C:
		case <-watch.C:
			h.watchIfListening(ctx)
		}
	}
}

func (h *Hub) attempt(ctx context.Context, what string, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := do(ctx); err != nil && ctx.Err() == nil {
		h.log.Warn().Err(err).Msg("live feed: " + what + " failed")
	}
}

// Subscriber describes the client that opens a connection.
type Subscriber struct {
	UserID string
	// Coverage reads what the account may view now.
	Coverage func(context.Context) (permission.Coverage, error)
	// LastID is the last id that the client has received, from which it resumes. "" means from now
	// on.
	LastID string
}

// Subscribe opens a connection with the coverage. The returned frame comes before those of the connection. It returns
// an unavailable error if the log has not been read yet or the server has its maximum of connections, and rate_limited
// if the account has its own.
func (h *Hub) Subscribe(ctx context.Context, s Subscriber) (*Connection, []byte, error) {
	if err := h.catchUp(ctx, s.LastID); err != nil {
		return nil, nil, err
	}
	c, seen := &Connection{hub: h, user: s.UserID, news: make(chan struct{}, 1)}, h.Seen(s.UserID)
	coverage, err := s.Coverage(ctx)
	if err == nil {
		err = c.Cover(coverage, seen)
	}
	if err != nil {
		return nil, nil, err
	}
	first, missed, err := h.join(c, s.LastID)
	if err != nil {
		return nil, nil, err
	}
	missed.frames, err = h.placed(ctx, missed.frames)
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	c.before(missed)
	return c, first, nil
}

// join adds a connection, and returns its first frame and what it has missed.
func (h *Hub) join(c *Connection, lastID string) (first []byte, missed *news, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ended || !h.ready:
		return nil, nil, notReady()
	case len(h.order) >= h.max:
		return nil, nil, domain.Errorf(domain.CodeUnavailable, "This server has too many live feeds open. Try again shortly.")
	case h.users[c.user] >= maxPerUser:
		return nil, nil, &domain.Error{Code: domain.CodeRateLimited, RetryAfter: time.Minute,
			Message: fmt.Sprintf("You have %d live feeds open. Close one first.", maxPerUser)}
	}
	first, frames, err := h.resume(lastID)
	if err != nil {
		return nil, nil, err
	}
	for id, w := range h.watched {
		f, err := h.presenceFrame(id, w)
		if err != nil {
			return nil, nil, err
		}
		frames = append(frames, f)
	}
	c.cursors, c.position, c.serial, c.place = h.cursors, h.head, h.serial, len(h.order)
	h.order = append(h.order, c)
	h.users[c.user]++
	h.open.Set(float64(len(h.order)))
	return first, &news{frames: frames, position: h.head, encoded: make(map[string][]byte)}, nil
}

// Seen returns when anybody's permissions were last changed, and until when the account has a second opinion to give,
// as far as the hub knows.
func (h *Hub) Seen(userID string) Seen {
	now := h.rights.Load()
	return Seen{now.staff, now.turns[userID]}
}

// StaffChanged returns a channel that is closed when anybody's permissions change. The owners of connections must then
// update their coverage, if Changed says so. While there are no connections, changes are not noticed until the first
// one opens.
func (h *Hub) StaffChanged() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

// take removes a connection from the order, if it is still there. The last one moves to its place. The hub's lock must
// be held.
func (h *Hub) take(c *Connection) {
	if c.place >= len(h.order) || h.order[c.place] != c {
		return
	}
	if h.users[c.user]--; h.users[c.user] <= 0 {
		delete(h.users, c.user)
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
	closeAll(h.waiting)
	h.waiting = nil
}

// disconnect ends all connections. The hub's lock must be held.
func (h *Hub) disconnect() {
	for _, c := range h.order {
		c.end()
	}
	h.order = nil
	clear(h.users)
	h.open.Set(0)
}
