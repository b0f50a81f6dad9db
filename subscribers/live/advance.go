package live

import (
	"context"
	"fmt"
	"slices"
)

// advance reads what is new in the log and hands it on. The first time it fills the
// ring with the end of the log, so that clients of another server, or of this one
// before it was started anew, can go on here.
func (h *Hub) advance(ctx context.Context) error {
	var head int64
	if err := h.pool.QueryRow(ctx, `SELECT coalesce(max(position), -1) FROM core_moderation_log`).Scan(&head); err != nil {
		return fmt.Errorf("end of the log: %w", err)
	}
	known, err := h.known(ctx, head)
	if err != nil {
		return err
	}
	for known < head {
		frames, err := h.read(ctx, known, head)
		if err != nil {
			return err
		}
		if len(frames) == 0 { // erased rows are no reason to stand still
			known = head
		} else {
			known = frames[len(frames)-1].position
		}
		h.add(frames, known)
	}
	h.setReady()
	return nil
}

// known is the position that has been read. A log that ends before it was restored
// from an older dump: it is read anew, and clients come back to a reset. So do those
// who come back after more than the ring keeps, which is not read for nobody.
func (h *Hub) known(ctx context.Context, head int64) (int64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cursors != nil && head >= h.head {
		if len(h.order) == 0 && head-h.head > int64(h.config.Keep) {
			h.forget(head)
		}
		return h.head, nil
	}
	loaded, err := loadCursors(ctx, h.pool)
	if err != nil {
		return 0, err
	}
	h.disconnect()
	h.cursors, h.ready = loaded, false
	h.forget(head)
	return h.head, nil
}

// forget empties the ring, which is then filled with the end of the log. It needs
// the lock.
func (h *Hub) forget(head int64) {
	h.before = max(head-int64(h.config.Keep), -1)
	h.head, h.ring = h.before, nil
}

func (h *Hub) setReady() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ready = true
}

func (h *Hub) add(frames []*Frame, head int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.head = head
	h.publish(frames)
}

// publish keeps frames, for those whose turn comes and those who come back. It needs
// the lock.
func (h *Hub) publish(frames []*Frame) {
	h.serial += int64(len(frames))
	h.ring = append(h.ring, frames...)
	if extra := len(h.ring) - h.config.Keep; extra > 0 {
		h.before = h.ring[extra-1].position
		h.ring = slices.Delete(h.ring, 0, extra)
	}
}

// watch tells of those who came to a report or left it.
func (h *Hub) watch(ctx context.Context) error {
	now, err := h.present(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var frames []*Frame
	tell := func(id string, about subject, viewers []Viewer) error {
		bytes, err := write("", "presence", presence{id, viewers})
		frames = append(frames, &Frame{position: h.head, bytes: bytes, about: about})
		return err
	}
	for id, w := range now {
		if was := h.watched[id]; was == nil || !slices.Equal(was.viewers, w.viewers) {
			if err := tell(id, w.about, w.viewers); err != nil {
				return err
			}
		}
	}
	for id, was := range h.watched {
		if now[id] == nil {
			if err := tell(id, was.about, []Viewer{}); err != nil {
				return err
			}
		}
	}
	h.watched = now
	h.publish(frames)
	return nil
}

// watchStaff looks whether anybody's permissions have changed. Every change is in
// the history, whose primary key answers this.
func (h *Hub) watchStaff(ctx context.Context) error {
	var last int64
	if err := h.pool.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM core_staff_history`).Scan(&last); err != nil {
		return fmt.Errorf("last change of staff: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if last != h.staff {
		h.staff = last
		close(h.changed)
		h.changed = make(chan struct{})
	}
	return nil
}
