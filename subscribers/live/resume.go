package live

import "slices"

// resume returns the frames that came after lastID, or a first frame with a reset if
// that is no longer known. The caller holds the lock.
func (h *Hub) resume(lastID string) (first []byte, missed []*Frame, err error) {
	if lastID == "" {
		return h.cursors.mark(h.head, 0), nil, nil
	}
	position, ok := h.cursors.decode(lastID)
	if !ok || position < h.before || position > h.head+readBatch {
		first, err = write(h.cursors.encode(h.head, 0), "reset", struct{}{})
		return first, nil, err
	}
	from, _ := slices.BinarySearchFunc(h.ring, position+1, func(f *Frame, p int64) int { return int(f.position - p) })
	return nil, slices.Clone(h.ring[from:]), nil
}
