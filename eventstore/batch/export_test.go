package batch

// Waiting returns how many calls wait for a batch.
func (b *Batcher[Q, A]) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}
