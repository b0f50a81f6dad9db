package queue

import (
	"context"
	"errors"
	"sync"
)

// Drain runs tasks until none is available, for at most DrainBudget. Then it waits for the running
// tasks, again for at most DrainBudget; it interrupts the others, which become pending again.
// Workers and other drains may run at the same time.
func (q *Queue) Drain(ctx context.Context) error {
	_, swept := q.returnExpired(ctx)
	taking, cancel := context.WithTimeout(ctx, q.config.DrainBudget)
	defer cancel()
	e := q.newEngine(ctx)
	faults := make([]error, len(names))
	var queues sync.WaitGroup
	for i, name := range names {
		queues.Go(func() { faults[i] = q.drain(taking, e, name) })
	}
	queues.Wait()
	wait := q.config.DrainBudget
	if ctx.Err() != nil {
		wait = min(wait, q.config.StopGrace)
	}
	e.stop(wait)
	return errors.Join(append(faults, swept, ctx.Err())...)
}

// drain empties one queue, including tasks that its tasks enqueue.
func (q *Queue) drain(ctx context.Context, e *engine, name Name) error {
	limit := q.config.Concurrency[name]
	free := newSlots(limit)
	for {
		n := free.gather(ctx)
		if ctx.Err() != nil {
			return nil
		}
		tasks, err := q.take(ctx, name, n)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		for _, t := range tasks {
			e.start(t, free.release)
		}
		free.giveBack(n - len(tasks))
		switch {
		case len(tasks) == n: // there may be more
		case len(tasks) == 0 && n == limit:
			return nil // none available, none running
		default:
			if !free.awaitAll(ctx) {
				return nil
			}
		}
	}
}

// awaitAll waits until every slot is free. It returns false if ctx ends first.
func (s *slots) awaitAll(ctx context.Context) bool {
	for n := range cap(s.tokens) {
		select {
		case <-s.tokens:
		case <-ctx.Done():
			s.giveBack(n)
			return false
		}
	}
	s.giveBack(cap(s.tokens))
	return true
}
