package postgres_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given many callers who each meet a dead connection, the pool is reset once a second.
func TestManyCallersResetAPoolOnceASecond(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	connection := func() (pid int) {
		return pgtest.One[int](t, pool, `SELECT pg_backend_pid()`)
	}
	r := &postgres.Reconnector{Pools: []*pgxpool.Pool{pool}}
	before, began := connection(), time.Now()
	r.Reset()
	fresh := connection()
	require.NotEqual(t, before, fresh)

	var all sync.WaitGroup
	for range 20 {
		all.Go(r.Reset)
	}
	all.Wait()
	require.NotEqual(t, fresh, connection(), "connections that were made since are closed too")
	require.GreaterOrEqual(t, time.Since(began), time.Second)
	require.Less(t, time.Since(began), 10*time.Second, "one resets for all")
}
