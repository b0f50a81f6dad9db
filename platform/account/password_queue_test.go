package account

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func addressOf(n int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}) }

// waiter is a call of enter in a goroutine.
type waiter struct {
	entered chan func()
	failed  chan error
}

// wait starts a call and returns once it is in the queue, or has entered.
func (q *passwordQueue) wait(ctx context.Context, t *testing.T, address netip.Addr) waiter {
	t.Helper()
	w := waiter{make(chan func(), 1), make(chan error, 1)}
	before := q.position()
	go func() {
		leave, err := q.enter(ctx, address)
		if err != nil {
			w.failed <- err
			return
		}
		w.entered <- leave
	}()
	require.Eventually(t, func() bool { return q.position() != before }, 10*time.Second, 10*time.Microsecond)
	return w
}

// turn returns the end of the call's turn. It fails if the turn is another's.
func (w waiter) turn(t *testing.T) (leave func()) {
	t.Helper()
	select {
	case leave = <-w.entered:
	case err := <-w.failed:
		t.Fatal("refused: ", err)
	case <-time.After(maxPasswordWait):
		t.Fatal("it is another's turn")
	}
	return leave
}

// position changes with each call that waits or enters.
func (q *passwordQueue) position() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	last := (*passwordTurn)(nil)
	if n := len(q.waiting); n > 0 {
		last = q.waiting[n-1]
	}
	return fmt.Sprint(q.turns, last)
}

func TestAFloodFromOneAddressTakesEverySecondTurn(t *testing.T) {
	t.Parallel()
	q := newPasswordQueue(1)
	flood, guest := addressOf(1), addressOf(2)
	leave, err := q.enter(t.Context(), flood)
	require.NoError(t, err)
	var flooding []waiter
	for range 150 {
		flooding = append(flooding, q.wait(t.Context(), t, flood))
	}
	visitor := q.wait(t.Context(), t, guest)
	for range 20 {
		flooding = append(flooding, q.wait(t.Context(), t, flood))
	}

	leave()
	leave = visitor.turn(t)
	again := q.wait(t.Context(), t, guest)
	leave()
	leave = flooding[len(flooding)-1].turn(t) // the flood's turn, its newest first
	leave()
	leave = again.turn(t)
	leave()
	for i := len(flooding) - 2; i >= 0; i-- {
		leave := flooding[i].turn(t)
		leave()
	}
	require.Empty(t, q.served, "nothing is kept of addresses that are gone")
	require.Empty(t, q.running)
}

func TestTheOldestIsRefusedWhenTooManyWait(t *testing.T) {
	t.Parallel()
	q := newPasswordQueue(1)
	leave, err := q.enter(t.Context(), addressOf(0))
	require.NoError(t, err)
	var waiting []waiter
	for i := range maxPasswordQueue {
		waiting = append(waiting, q.wait(t.Context(), t, addressOf(i+1)))
	}
	newest := q.wait(t.Context(), t, addressOf(1000))
	q.mu.Lock()
	stay := len(q.waiting)
	q.mu.Unlock()
	require.Equal(t, maxPasswordQueue, stay)
	requireCode(t, domain.CodeUnavailable, <-waiting[0].failed)
	leave()
	leave = newest.turn(t)
	leave()
	for i := len(waiting) - 1; i > 0; i-- {
		leave := waiting[i].turn(t)
		leave()
	}
}

func TestACallThatGivesUpLeavesTheQueue(t *testing.T) {
	t.Parallel()
	q := newPasswordQueue(1)
	leave, err := q.enter(t.Context(), addressOf(0))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	gone := q.wait(ctx, t, addressOf(1))
	stays := q.wait(t.Context(), t, addressOf(2))
	cancel()
	require.ErrorIs(t, <-gone.failed, context.Canceled)
	leave()
	leave = stays.turn(t)
	leave()
	require.Equal(t, 1, q.free)
}

func TestManyCallsShareTheTurns(t *testing.T) {
	t.Parallel()
	q := newPasswordQueue(2)
	var mu sync.Mutex
	running, most, done := 0, 0, 0
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			leave, err := q.enter(t.Context(), addressOf(i%7))
			if err != nil {
				return
			}
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			mu.Lock()
			running--
			done++
			mu.Unlock()
			leave()
		})
	}
	all.Wait()
	require.Equal(t, 100, done)
	require.LessOrEqual(t, most, 2)
	require.Equal(t, 2, q.free)
	require.Empty(t, q.served)
}
