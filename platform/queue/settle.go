package queue

import (
	"context"
	"time"
)

// maxSettle is how many outcomes one statement stores.
const maxSettle = 1000

// settleAll stores outcomes in batches. The next batch gathers while one is being
// stored, so batches grow with the load.
func (e *engine) settleAll() {
	batch := make([]outcome, 0, maxSettle)
	for {
		select {
		case o := <-e.outcomes:
			batch = e.gather(append(batch[:0], o))
			e.store(batch)
		case <-e.closed:
			if batch = e.gather(batch[:0]); len(batch) == 0 {
				return
			}
			e.store(batch)
		}
	}
}

// gather adds the outcomes that are ready.
func (e *engine) gather(batch []outcome) []outcome {
	for len(batch) < maxSettle {
		select {
		case o := <-e.outcomes:
			batch = append(batch, o)
		default:
			return batch
		}
	}
	return batch
}

// store retries for the length of a lease, which is extended meanwhile, and once more
// when the engine stops. After that another attempt runs the tasks.
func (e *engine) store(batch []outcome) {
	defer e.drop(batch)
	deadline := time.Now().Add(e.q.config.Lease)
	wait := 50 * time.Millisecond
	for {
		stopping := e.wasClosed()
		err := e.storeOnce(batch)
		if err == nil {
			return
		}
		if stopping || time.Now().After(deadline) {
			e.q.log.Error().Err(err).Int("tasks", len(batch)).Msg("outcomes lost; the tasks run again when their leases end")
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-e.closed:
		}
		timer.Stop()
		wait = min(2*wait, 2*time.Second)
	}
}

func (e *engine) storeOnce(batch []outcome) error {
	e.storing.Lock()
	defer e.storing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), statementLimit)
	defer cancel()
	return e.q.settle(ctx, batch)
}

func (e *engine) wasClosed() bool {
	select {
	case <-e.closed:
		return true
	default:
		return false
	}
}
