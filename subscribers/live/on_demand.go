package live

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain"
)

// The log, presence and staff are read only while there are connections, so an idle server
// causes no load. The first connection waits until the events since the last read have been
// read.

// patience is how long a connection waits for catchUp.
const patience = 5 * time.Second

// readIfWanted calls advance if there are connections or waiting subscribers, and once at the
// start.
func (h *Hub) readIfWanted(ctx context.Context) error {
	waiting, wanted := h.wanted()
	if !wanted {
		return nil
	}
	err := h.advance(ctx)
	if err == nil && len(waiting) > 0 {
		h.attempt(ctx, "watching presence", h.readPresence) // a new connection gets the present viewers
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.waiting = append(h.waiting, waiting...)
		return err
	}
	closeAll(waiting)
	return nil
}

// watchIfListening reads presence and changes of staff if there are connections.
func (h *Hub) watchIfListening(ctx context.Context) {
	h.mu.Lock()
	listened := len(h.order) > 0
	h.mu.Unlock()
	if listened {
		h.attempt(ctx, "watching presence and staff", h.readPresence)
	}
}

// wanted reports whether the log should be read, and returns the channels of the subscribers
// that wait for it.
func (h *Hub) wanted() ([]chan struct{}, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	waiting := h.waiting
	h.waiting = nil
	return waiting, !h.ready || len(waiting) > 0 || len(h.order) > 0
}

// catchUp returns once the log has been read up to now. It does not wait if there are other
// connections, unless the client has received later events from another server.
func (h *Hub) catchUp(ctx context.Context, lastID string) error {
	h.mu.Lock()
	if h.ended || h.ready && len(h.order) > 0 && !h.isBehind(lastID) {
		h.mu.Unlock()
		return nil
	}
	read := make(chan struct{})
	h.waiting = append(h.waiting, read)
	h.mu.Unlock()
	h.Wake()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-read:
		return nil
	case <-h.stop:
		return notReady()
	case <-ctx.Done():
		return notReady()
	}
}

// isBehind reports whether the client has received later events than this server has read. The
// hub's lock must be held, and the log must have been read.
func (h *Hub) isBehind(lastID string) bool {
	position, known := h.cursors.decode(lastID)
	return known && position > h.head
}

func closeAll(waiting []chan struct{}) {
	for _, read := range waiting {
		close(read)
	}
}

func notReady() error {
	return domain.Errorf(domain.CodeUnavailable, "The live feed is not ready yet. Try again shortly.")
}
