package pgtest

import (
	"testing"
	"time"
)

// Eventually waits until condition holds, at most two minutes, and fails the test with
// what if it does not. Unlike require.Eventually it calls condition in the test's own
// goroutine, so condition itself may fail the test.
func Eventually(t testing.TB, condition func() bool, what string, args ...any) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: "+what, append([]any{patience}, args...)...)
		}
	}
}
