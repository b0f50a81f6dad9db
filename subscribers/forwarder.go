package subscribers

import (
	"context"
	"errors"
	"time"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
)

// Forwarder is a consumer group that forwards every event to a system outside of the database, in
// order, on one server at a time.
type Forwarder struct {
	Group string
	// Forward returns nil once the other system has stored the event. Otherwise it is called again
	// with the same event, with a backoff of up to five seconds. No transaction is open meanwhile,
	// so it delays nobody else. An event may be repeated after a crash.
	Forward func(ctx context.Context, e event.Event) error
}

const (
	// recordEvery is how often a slow forwarder's position is stored within a batch.
	recordEvery = time.Second
	// forwardTurn is how long a server waits for the lock of the one that forwards.
	forwardTurn = time.Hour
)

// forward forwards events until ctx is done, while no other server does.
func (r *Router) forward(ctx context.Context, locks *sessionlock.Locks, f Forwarder) {
	log := r.config.Log.With().Str("group", f.Group).Logger()
	for retry := firstRetry; ctx.Err() == nil; {
		held, lost := context.WithCancel(ctx)
		lock, err := locks.Acquire(held, "docket:forward:"+f.Group, forwardTurn, lost)
		for err == nil && held.Err() == nil {
			var read int
			if read, err = r.forwardBatch(held, f); err == nil {
				retry = firstRetry
				if read < batchSize {
					wait(held, r.config.PollInterval)
				}
			}
		}
		if lock != nil {
			lock.Release()
		}
		lost()
		if err == nil || errors.Is(err, sessionlock.ErrTaken) || ctx.Err() != nil {
			continue
		}
		log.Warn().Err(err).Dur("wait", retry).Msg("forwarding events waits")
		wait(ctx, retry)
		retry = min(2*retry, maxRetry)
	}
}

// forwardBatch forwards the next events and returns how many it has read. It stores the position of
// those that were confirmed, even after an error.
func (r *Router) forwardBatch(ctx context.Context, f Forwarder) (read int, err error) {
	messages, err := publicEvents.read(ctx, r.pool, f.Group)
	if err != nil {
		return 0, err
	}
	var confirmed *position
	recorded := time.Now()
	for i, m := range messages {
		start := time.Now()
		err = f.Forward(ctx, fromMessage(m.msg))
		r.metrics.forwarded(f.Group, start, err)
		if err == nil {
			confirmed = &m.at
		}
		if done := err != nil || i == len(messages)-1; confirmed != nil && (done || time.Since(recorded) > recordEvery) {
			err = errors.Join(err, r.record(ctx, f.Group, *confirmed))
			confirmed, recorded = nil, time.Now()
		}
		if err != nil {
			break
		}
	}
	return len(messages), err
}

func (r *Router) record(ctx context.Context, group string, at position) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	_, err := r.pool.Exec(ctx, publicEvents.moveQuery(), at.transaction, at.offset, group)
	return err
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
