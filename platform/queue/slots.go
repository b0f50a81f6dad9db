package queue

import (
	"context"
	"time"
)

// slots counts how many tasks a queue may run at once.
type slots struct {
	tokens chan struct{} // one for each free slot
}

func newSlots(n int) *slots {
	s := &slots{tokens: make(chan struct{}, n)}
	for range n {
		s.tokens <- struct{}{}
	}
	return s
}

func (s *slots) release() { s.tokens <- struct{}{} }

// gather waits for a free slot and takes all that are free, once half of them
// are or a moment has passed: a batch of many costs little more than one of one.
// It returns 0 when the context ends.
func (s *slots) gather(ctx context.Context) int {
	const moment = 5 * time.Millisecond
	select {
	case <-s.tokens:
	case <-ctx.Done():
		return 0
	}
	n := 1 + s.free(cap(s.tokens))
	if n >= (cap(s.tokens)+1)/2 {
		return n
	}
	timer := time.NewTimer(moment)
	defer timer.Stop()
	for n < (cap(s.tokens)+1)/2 {
		select {
		case <-s.tokens:
			n += 1 + s.free(cap(s.tokens))
		case <-timer.C:
			return n
		case <-ctx.Done():
			return n
		}
	}
	return n
}

// free takes up to limit slots that are free now.
func (s *slots) free(limit int) int {
	for n := range limit {
		select {
		case <-s.tokens:
		default:
			return n
		}
	}
	return limit
}

func (s *slots) giveBack(n int) {
	for range n {
		s.release()
	}
}
