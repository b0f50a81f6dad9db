package pgtest

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Eventually waits until condition holds, at most two minutes, and fails the test with what if it
// does not. It polls less often the longer it takes. Unlike require.Eventually it calls condition
// in the test's own goroutine, so condition may fail the test.
func Eventually(t testing.TB, condition func() bool, what string, args ...any) {
	t.Helper()
	pause := 5 * time.Millisecond
	for deadline := time.Now().Add(patience); !condition(); pause = min(pause*5/4, 50*time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: "+what, append([]any{patience}, args...)...)
		}
		time.Sleep(pause)
	}
}

// AwaitLock returns once a statement in the pool's database waits for a lock.
func AwaitLock(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	Eventually(t, func() bool {
		return One[bool](t, pool, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
	}, "nothing waits for a lock")
}
