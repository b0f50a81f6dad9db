package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// closePatience bounds how long Close waits for the server.
const closePatience = 500 * time.Millisecond

// Close closes an unused pool. Unlike pgx, which waits for a quarter of a minute and
// longer, it does not wait for a silent server, since the caller must stop soon. The connections then end with the process.
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
