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
// further attempt up to an hour, shortened by up to a fifth, so that tasks that
// failed together do not all come back together.
func backoff(attempt int) time.Duration {
	wait := lastRetry
	if attempt < 10 { // 10 s << 9 is beyond the hour
		wait = min(firstRetry<<max(attempt-1, 0), lastRetry)
	}
	return wait - rand.N(wait/5)
}
