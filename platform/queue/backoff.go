package queue

import (
	"math/rand/v2"
	"time"
)

// The bounds of contract section 6.
const (
	firstRetry = 10 * time.Second
	lastRetry  = time.Hour
)

// backoff is the wait after an attempt that failed: 10 s, doubled with each
// further attempt up to an hour. Jitter of up to a fifth, added below the hour
// and taken off at it, keeps tasks that failed together from coming back together.
func backoff(attempt int) time.Duration {
	wait := firstRetry << min(max(attempt-1, 0), 20)
	if wait >= lastRetry {
		return lastRetry - rand.N(lastRetry/5)
	}
	return min(wait+rand.N(wait/5), lastRetry)
}
