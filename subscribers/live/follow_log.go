package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// advance reads the new events of the log and publishes them. The first time, it fills the
// ring with the end of the log, so that clients can resume here after a restart or with an
// id from another server.
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
		// A caller that lost a grant before these events must not see them, so changes of
		// staff are read after the events and before they are published.
		if err := h.watchStaff(ctx); err != nil {
			return err
		}
		if len(frames) == 0 { // all rows up to there are deleted
			known = head
		} else {
			known = frames[len(frames)-1].position
		}
		h.mu.Lock()
		h.head = known
		h.publish(frames)
		h.mu.Unlock()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ready = true
	return nil
}

// known returns the position up to which the log has been read. If the log ends before it, the database was restored
// from an older dump: the log is read again, and clients get a reset. If there are no connections and more new events
// than the ring can store, the older ones are skipped.
func (h *Hub) known(ctx context.Context, head int64) (int64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cursors != nil && head >= h.head {
		if len(h.order) == 0 && head-h.head > int64(h.keep) {
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

// forget empties the ring, to be filled with the end of the log. The hub's lock must be held.
func (h *Hub) forget(head int64) {
	h.before = max(head-int64(h.keep), -1)
	h.head, h.ring = h.before, nil
}

// publish adds frames to the ring, from which connections are served and resumed. The hub's lock must be held.
func (h *Hub) publish(frames []*Frame) {
	h.serial += int64(len(frames))
	h.ring = append(h.ring, frames...)
	if extra := len(h.ring) - h.keep; extra > 0 {
		h.before = h.ring[extra-1].position
		h.ring = slices.Delete(h.ring, 0, extra)
	}
}

// presenceFrame returns the frame of who has a report open. The hub's lock must be held.
func (h *Hub) presenceFrame(id string, w *watched) (*Frame, error) {
	bytes, err := write("", "presence", presence{id, w.viewers})
	return &Frame{position: h.head, bytes: bytes, report: id, about: w.about}, err
}

// readPresence publishes who has opened or left a report.
func (h *Hub) readPresence(ctx context.Context) error {
	now, err := h.present(ctx)
	if err == nil {
		err = h.watchStaff(ctx)
	}
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var frames []*Frame
	changed := map[string]*watched{}
	for id, w := range now {
		if was := h.watched[id]; was == nil || !slices.Equal(was.viewers, w.viewers) {
			changed[id] = w
		}
	}
	for id, was := range h.watched {
		if now[id] == nil {
			changed[id] = &watched{was.about, []Viewer{}}
		}
	}
	for id, w := range changed {
		f, err := h.presenceFrame(id, w)
		if err != nil {
			return err
		}
		frames = append(frames, f)
	}
	h.watched = now
	h.publish(frames)
	return nil
}

// watchStaff checks whether anybody's permissions or second opinions have changed, the latter since they hide a report.
// Every change of staff is in the history of staff.
func (h *Hub) watchStaff(ctx context.Context) error {
	var now rights
	if err := h.pool.QueryRow(ctx, `SELECT coalesce(max(position), 0),
		(SELECT json_object_agg(user_id, (extract(epoch FROM until) * 1e6)::bigint) FROM core_second_turns WHERE NOT ended) FROM core_staff_history`).Scan(&now.staff, &now.turns); err != nil {
		return fmt.Errorf("last change of staff: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if was := h.rights.Load(); now.staff != was.staff || !maps.Equal(now.turns, was.turns) {
		h.rights.Store(&now)
		close(h.changed)
		h.changed = make(chan struct{})
	}
	return nil
}
