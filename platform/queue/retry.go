package queue

import (
	"math/rand/v2"
	"time"
)

// DefaultMaxAttempts spreads retries over three to four hours.
const DefaultMaxAttempts = 12

// Retries start at 10 s and are at most an hour apart.
const (
	firstRetry = 10 * time.Second
	lastRetry  = time.Hour
)

// backoff returns the wait after a failed attempt: 10 s, doubled with each attempt up
// to an hour. Jitter of up to a fifth, added below the hour and subtracted at it,
// spreads tasks that failed together.
func backoff(attempt int) time.Duration {
	wait := firstRetry << min(max(attempt-1, 0), 20)
	if wait >= lastRetry {
		return lastRetry - rand.N(lastRetry/5)
	}
	return min(wait+rand.N(wait/5), lastRetry)
}
