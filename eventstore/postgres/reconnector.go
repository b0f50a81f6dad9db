package postgres

import (
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Reconnector replaces the connections of pools after one was lost. The fields must not change
// after the first call of Reset.
type Reconnector struct {
	Pools []*pgxpool.Pool

	mu   sync.Mutex
	last time.Time
}

// Reset closes the connections of the pools; those in use are closed when released. It does so at
// most once a second: when a failover hits many callers at once, the first call resets for all. A
// caller that needs another reset earlier, because newer connections are dead too, waits. It is
// safe for concurrent use.
func (r *Reconnector) Reset() {
	asked := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.After(asked) {
		return // by another caller, meanwhile
	}
	time.Sleep(time.Second - time.Since(r.last))
	r.last = time.Now()
	for _, pool := range r.Pools {
		pool.Reset()
	}
}
