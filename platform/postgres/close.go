package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// closePatience is how long a server has to take its leave of all connections.
const closePatience = 500 * time.Millisecond

// Close closes a pool that nobody uses any more. From a server that has fallen
// silent it does not wait for an answer: pgx would, for a quarter of a minute
// and longer, and whoever closes a pool is promised to have stopped by then. The
// connections then end with the process.
func Close(pool *pgxpool.Pool) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		pool.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closePatience):
	}
}
