package queue

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// Run runs tasks until ctx ends and the running ones are done, or until shortly after
// StopGrace.
func (q *Queue) Run(ctx context.Context) {
	e := q.newEngine(ctx)
	var workers sync.WaitGroup
	for _, name := range names {
		workers.Go(func() { q.work(ctx, e, name) })
	}
	workers.Go(func() { q.sweep(ctx) })
	workers.Wait()
	e.stop(q.config.StopGrace)
}

// work fills the free slots of one queue.
func (q *Queue) work(ctx context.Context, e *engine, name Name) {
	free := newSlots(q.config.Concurrency[name])
	for {
		n := free.gather(ctx)
		if ctx.Err() != nil {
			return
		}
		tasks, err := q.take(ctx, name, n)
		if err != nil && ctx.Err() == nil {
			q.config.Log.Error().Err(err).Str("queue", string(name)).Msg("no tasks taken")
		}
		for _, t := range tasks {
			e.start(t, free.release)
		}
		free.giveBack(n - len(tasks))
		if len(tasks) == n {
			continue // there may be more
		}
		if !q.idle(ctx, name) {
			return
		}
	}
}

// idle waits for the next poll. It returns false when ctx ends.
func (q *Queue) idle(ctx context.Context, name Name) bool {
	// Jitter spreads the polls of servers that started together.
	timer := time.NewTimer(q.config.Poll - rand.N(q.config.Poll/5+1))
	defer timer.Stop()
	select {
	case <-q.wakes[name]:
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	return true
}

// sweep makes the tasks of dead workers available again.
func (q *Queue) sweep(ctx context.Context) {
	ticker := time.NewTicker(max(q.config.Lease/3, time.Millisecond))
	defer ticker.Stop()
	for {
		n, err := q.returnExpired(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			q.config.Log.Error().Err(err).Msg("ended leases not swept")
		case n > 0:
			q.config.Log.Warn().Int64("tasks", n).Msg("tasks returned whose lease had ended")
			q.Wake()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
