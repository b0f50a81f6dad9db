package platformtest

import (
	"context"
	"sync"
	"testing"
)

// Run calls run in a goroutine, cancels it when stop is called or the test ends, and waits until it
// returns.
func Run(t testing.TB, run func(ctx context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}
