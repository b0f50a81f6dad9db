package remote

import (
	"sync"
	"time"
)

// The breaker opens after this many consecutive failures, and then lets one request through per interval.
const (
	breakAfter = 5
	probeEvery = 10 * time.Second
)

// breaker is a circuit breaker for a platform that does not respond. Its zero value is closed.
type breaker struct {
	mu       sync.Mutex
	failures int // in a row
	probeAt  time.Time
}

// allow reports whether a request may be sent now.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < breakAfter {
		return true
	}
	if now.Before(b.probeAt) {
		return false
	}
	b.probeAt = now.Add(probeEvery)
	return true
}

// note records the outcome of a request.
func (b *breaker) note(now time.Time, down bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !down {
		b.failures = 0
	} else if b.failures++; b.failures == breakAfter {
		b.probeAt = now.Add(probeEvery)
	}
}

// open reports whether requests are blocked.
func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= breakAfter
}
