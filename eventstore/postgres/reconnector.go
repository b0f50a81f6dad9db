package postgres

import (
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Reconnector gives pools fresh connections after one was lost. The fields must not change
// after the first call of Reset.
type Reconnector struct {
	Pools []*pgxpool.Pool

	mu   sync.Mutex
	last time.Time
}

// Reset closes the connections of the pools, those in use when they are released. It does so
// at most once a second: of the many callers that a failover or one dead connection meets, one
// does it for all. A caller that needs it sooner, because connections that were made since
// are dead too, waits for its turn. It is safe for concurrent use.
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
