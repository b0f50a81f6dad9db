package remote

import (
	"sync"
	"time"
)

// The breaker opens after this many questions in a row that nobody answered, and then lets one question in this
// time through.
const (
	breakAfter = 5
	probeEvery = 10 * time.Second
)

// breaker spares a platform that does not answer, and those who wait for it. Its zero value
// is closed.
type breaker struct {
	mu       sync.Mutex
	failures int // in a row
	probeAt  time.Time
}

// allow reports whether a question may be asked now.
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

// note counts a question that was asked.
func (b *breaker) note(now time.Time, down bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !down {
		b.failures = 0
	} else if b.failures++; b.failures == breakAfter {
		b.probeAt = now.Add(probeEvery)
	}
}

// open reports whether questions are held back.
func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= breakAfter
}
