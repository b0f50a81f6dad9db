package queue

import (
	"context"
	"maps"
	"slices"
	"time"
)

// defaultLease is how long a task stays with a dead worker.
const defaultLease = 30 * time.Second

func (e *engine) hold(t taken, cancel context.CancelCauseFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leases[fence{t.ID, t.Number}] = &lease{until: e.q.now().Add(e.q.config.Lease), cancel: cancel}
}

func (e *engine) drop(outcomes []outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, o := range outcomes {
		delete(e.leases, fence{o.id, o.attempt})
	}
}

// extendAll extends all leases three times per lease duration.
func (e *engine) extendAll() {
	ticker := time.NewTicker(max(e.q.config.Lease/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			e.extendOnce()
		case <-e.closed:
			return
		}
	}
}

// extendOnce cancels attempts whose lease is lost: taken by another server, or expired
// while the database does not answer.
func (e *engine) extendOnce() {
	e.storing.Lock()
	defer e.storing.Unlock()
	e.mu.Lock()
	mine := slices.Collect(maps.Keys(e.leases))
	e.mu.Unlock()
	if len(mine) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), statementLimit)
	defer cancel()
	until := e.q.now().Add(e.q.config.Lease)
	held, err := e.q.extend(ctx, mine, until)
	if err != nil {
		e.q.log.Error().Err(err).Int("tasks", len(mine)).Msg("leases not extended")
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range mine {
		l := e.leases[f]
		switch {
		case l == nil: // settled meanwhile
		case held[f]:
			l.until = until
		case err == nil || e.q.now().After(l.until):
			l.cancel(errLeaseLost)
		}
	}
}
