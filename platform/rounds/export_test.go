package rounds

// Waiting tells how many wait for a round to begin.
func (r *Rounds[Q, A]) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting)
}
