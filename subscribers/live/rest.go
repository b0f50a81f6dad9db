package live

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain"
)

// The log is read, and presence and staff are watched, only while somebody listens: a
// server without an open board spends nothing on telling. Who comes first waits until
// what happened meanwhile is read.

// patience is how long a connection waits for that.
const patience = 5 * time.Second

// readOn advances when somebody listens or waits to, and before anybody does.
func (h *Hub) readOn(ctx context.Context) error {
	waiting, wanted := h.wanted()
	if !wanted {
		return nil
	}
	err := h.advance(ctx)
	if err == nil && len(waiting) > 0 {
		h.attempt(ctx, "watching presence", h.watch) // who comes is told who is there
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.waiting = append(h.waiting, waiting...)
		return err
	}
	answer(waiting)
	return nil
}

// watchOn looks for presence and changes of staff when somebody listens.
func (h *Hub) watchOn(ctx context.Context) {
	if !h.listened() {
		return
	}
	h.attempt(ctx, "watching presence", h.watch)
	h.attempt(ctx, "watching staff", h.watchStaff)
}

func (h *Hub) listened() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.order) > 0
}

// wanted tells whether to read, and takes those who wait for it.
func (h *Hub) wanted() ([]chan struct{}, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	waiting := h.waiting
	h.waiting = nil
	return waiting, !h.ready || len(waiting) > 0 || len(h.order) > 0
}

// catchUp returns when the log has been read up to now, while a server starts also for
// the first time; it has been already where others listen, unless a client comes from
// another server and has seen more.
func (h *Hub) catchUp(ctx context.Context, lastID string) error {
	h.mu.Lock()
	if h.ended || h.ready && len(h.order) > 0 && !h.isBehind(lastID) {
		h.mu.Unlock()
		return nil
	}
	read := make(chan struct{})
	h.waiting = append(h.waiting, read)
	h.mu.Unlock()
	select {
	case h.asked <- struct{}{}:
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-read:
		return nil
	case <-h.stop:
		return notThere()
	case <-ctx.Done():
		return notThere()
	}
}

// isBehind needs the lock, and that the log has been read.
func (h *Hub) isBehind(lastID string) bool {
	position, known := h.cursors.decode(lastID)
	return known && position > h.head
}

func answer(waiting []chan struct{}) {
	for _, read := range waiting {
		close(read)
	}
}

func notThere() error {
	return domain.Errorf(domain.CodeUnavailable, "The live feed is not there yet; try again shortly.")
}
