package queue

import (
	"context"
	"time"
)

// slots limits how many tasks of a queue run at once.
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

// gather waits for a free slot. It returns how many it took: all free ones, when half of all slots are free or 5 ms
// have passed, since a large batch costs little more than a single task. If ctx ends, it returns what it has taken.
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

// free takes up to limit slots without waiting.
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

// concurrency is the default of Config.Concurrency.
var concurrency = map[Name]int{Default: 16, Outbound: 16, Long: 2}
