package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// closePatience bounds how long Close waits for the server.
const closePatience = 500 * time.Millisecond

// Close closes an unused pool. It waits for a silent server only for closePatience, unlike
// pgx, which waits for 15 seconds or longer. The connections then end with the process.
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
