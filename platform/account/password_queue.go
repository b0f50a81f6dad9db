package account

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
)

// The limits of password checks.
const (
	// maxPasswordSlots bounds how many passwords are hashed at once, and so the memory for it:
	// argonMemory each.
	maxPasswordSlots = 2
	// maxPasswordWait bounds the wait for a password check.
	maxPasswordWait = 10 * time.Second
	// maxPasswordQueue is how many calls may wait. Beyond it the oldest is refused.
	maxPasswordQueue = 200
)

// passwordQueue schedules password hashing: next is the address that was served longest ago and,
// among calls of one address or of new ones, the last to arrive. So a flood from one address takes
// at most every second turn, and a flood from many refuses its own oldest calls first.
type passwordQueue struct {
	mu      sync.Mutex
	free    int
	waiting []*passwordTurn // oldest first
	turns   uint64
	served  map[netip.Addr]uint64 // the last turn of each address; only of those that wait or run
	running map[netip.Addr]int
}

type passwordTurn struct {
	address netip.Addr
	result  chan error // nil: it may run
}

func newPasswordQueue(slots int) *passwordQueue {
	return &passwordQueue{free: slots, served: map[netip.Addr]uint64{}, running: map[netip.Addr]int{}}
}

// enter waits for a turn, which leave ends. It returns unavailable if too many calls wait, or after maxPasswordWait.
func (q *passwordQueue) enter(ctx context.Context, address netip.Addr) (leave func(), err error) {
	turn := &passwordTurn{address: address, result: make(chan error, 1)}
	q.add(turn)
	timer := time.NewTimer(maxPasswordWait)
	defer timer.Stop()
	select {
	case err = <-turn.result:
	case <-timer.C:
		err = q.withdraw(turn, tooManySignIns())
	case <-ctx.Done():
		err = q.withdraw(turn, fmt.Errorf("wait to check a password: %w", ctx.Err()))
	}
	if err != nil {
		return nil, err
	}
	return func() { q.leave(address) }, nil
}

func tooManySignIns() error {
	return domain.Errorf(domain.CodeUnavailable, "Too many people are signing in; try again shortly.")
}

func (q *passwordQueue) add(turn *passwordTurn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, turn)
	q.next()
	if len(q.waiting) > maxPasswordQueue {
		oldest := q.waiting[0]
		q.remove(0)
		oldest.result <- tooManySignIns()
	}
}

// withdraw returns err, or nil if the turn has begun meanwhile.
func (q *passwordQueue) withdraw(turn *passwordTurn, err error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, turn); i >= 0 {
		q.remove(i)
		return err
	}
	return <-turn.result
}

func (q *passwordQueue) leave(address netip.Addr) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free++
	if q.running[address]--; q.running[address] == 0 {
		delete(q.running, address)
	}
	q.forget(address)
	q.next()
}

// next starts the calls that may run. q.mu must be held.
func (q *passwordQueue) next() {
	for q.free > 0 && len(q.waiting) > 0 {
		best := len(q.waiting) - 1
		for i := best - 1; i >= 0; i-- {
			if q.served[q.waiting[i].address] < q.served[q.waiting[best].address] {
				best = i
			}
		}
		turn := q.waiting[best]
		q.waiting = slices.Delete(q.waiting, best, best+1)
		q.free--
		q.turns++
		q.served[turn.address] = q.turns
		q.running[turn.address]++
		turn.result <- nil
	}
}

func (q *passwordQueue) remove(i int) {
	address := q.waiting[i].address
	q.waiting = slices.Delete(q.waiting, i, i+1)
	q.forget(address)
}

// forget deletes the record of an address that has no waiting or running calls.
func (q *passwordQueue) forget(address netip.Addr) {
	if q.running[address] == 0 && !slices.ContainsFunc(q.waiting, func(t *passwordTurn) bool { return t.address == address }) {
		delete(q.served, address)
	}
}
