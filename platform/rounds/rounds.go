// Package rounds does in one go what many callers ask for at the same time, so that
// a round trip to the database serves all of them.
package rounds

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Rounds answers callers in rounds. One begins at once when fewer than AtOnce are
// under way; else callers wait for the next. A round begins after all that it
// answers have asked, so that each is told of what was there when they did. It runs
// to its end, or for Timeout, whoever of them has gone. It carries the values of the
// context of whom it answers first, so what it does is in the trace of that one alone.
//
// It is safe for concurrent use. Set the exported fields before the first.
type Rounds[Q, A any] struct {
	// Do answers questions, each in its place. Its error is everybody's.
	Do      func(ctx context.Context, questions []Q) ([]A, error)
	AtOnce  int // rounds under way; at least 1
	Most    int // questions in a round; at least 1
	Timeout time.Duration

	mu      sync.Mutex
	waiting []*call[Q, A]
	running int
}

type call[Q, A any] struct {
	ctx      context.Context
	question Q
	done     chan struct{} // closed when what follows is set
	answer   A
	err      error
}

// Ask waits for the answer, or until ctx ends.
func (r *Rounds[Q, A]) Ask(ctx context.Context, question Q) (answer A, err error) {
	c := &call[Q, A]{ctx: ctx, question: question, done: make(chan struct{})}
	r.add(c)
	select {
	case <-c.done:
		return c.answer, c.err
	case <-ctx.Done():
		return answer, context.Cause(ctx)
	}
}

func (r *Rounds[Q, A]) add(c *call[Q, A]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, c)
	if r.running < r.AtOnce {
		r.running++
		go r.run()
	}
}

// run does rounds until nobody waits.
func (r *Rounds[Q, A]) run() {
	for {
		calls := r.next()
		if len(calls) == 0 {
			return
		}
		r.round(calls)
	}
}

func (r *Rounds[Q, A]) next() []*call[Q, A] {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.waiting), r.Most)
	calls := r.waiting[:n:n]
	r.waiting = r.waiting[n:]
	if n == 0 {
		r.waiting = nil
		r.running--
	}
	return calls
}

func (r *Rounds[Q, A]) round(calls []*call[Q, A]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(calls[0].ctx), r.Timeout)
	defer cancel()
	questions := make([]Q, len(calls))
	for i, c := range calls {
		questions[i] = c.question
	}
	answers, err := r.Do(ctx, questions)
	if err == nil && len(answers) != len(calls) {
		err = fmt.Errorf("%d answers to %d questions", len(answers), len(calls))
	}
	for i, c := range calls {
		if c.err = err; err == nil {
			c.answer = answers[i]
		}
		close(c.done)
	}
}
