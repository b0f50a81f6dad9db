package sessionlock

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// A release that has waited out the limit of a statement behind others still unlocks.
func TestAReleaseBehindASlowStatementUnlocks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	locks := New(pool.Config().ConnConfig)
	other, err := locks.Acquire(t.Context(), "other", 0, func() {}) // keeps the connection open
	require.NoError(t, err)
	held, err := locks.Acquire(t.Context(), "held", 0, func() {})
	require.NoError(t, err)

	held.session.mu.Lock()
	released := make(chan struct{})
	go func() { held.Release(); close(released) }()
	pgtest.Eventually(t, func() bool {
		free := locks.mu.TryLock()
		if free {
			locks.mu.Unlock()
		}
		return !free
	}, "the release has begun")
	pgtest.Exec(t, pool, "SELECT pg_sleep($1)", StatementLimit.Seconds()+0.5)
	held.session.mu.Unlock()
	<-released

	again, err := New(pool.Config().ConnConfig).Acquire(t.Context(), "held", 0, func() {})
	require.NoError(t, err)
	again.Release()
	other.Release()
}
