// Package rounds does in one go what many callers ask for at the same time, so that
// a round trip to the database serves all of them.
package rounds

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Rounds answers callers in rounds, one after the other: who comes during a round
// is of the next. A round begins after all that it answers have asked, so that each
// is told of what was there when they did. One that is held up does not hold up all
// others: after Patience the next begins beside it, AtOnce in all at most. A round runs
// to its end, or for Timeout, whoever of them has gone. It carries the values of the
// context of whom it answers first, so what it does is in the trace of that one alone.
//
// It is safe for concurrent use. Set the exported fields before the first.
type Rounds[Q, A any] struct {
	// Do answers questions, each in its place. Its error is everybody's, unless Apart
	// says to do each by itself then, so that nobody fails for another.
	Do       func(ctx context.Context, questions []Q) ([]A, error)
	Apart    bool
	Most     int // questions in a round; at least 1
	AtOnce   int // rounds under way; at least 1
	Patience time.Duration
	Timeout  time.Duration

	mu       sync.Mutex
	waiting  []*call[Q, A]
	running  int
	patience *time.Timer // until the next begins beside those under way
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
	if r.running == 0 {
		r.running++
		go r.run()
	}
	r.bePatient()
}

// bePatient lets a round begin later for those who still wait then.
func (r *Rounds[Q, A]) bePatient() {
	if r.patience == nil && len(r.waiting) > 0 && r.running < r.AtOnce {
		r.patience = time.AfterFunc(r.Patience, r.beginBeside)
	}
}

func (r *Rounds[Q, A]) beginBeside() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.patience = nil
	if len(r.waiting) > 0 && r.running < r.AtOnce {
		r.running++
		go r.run()
	}
}

// run does rounds until nobody waits, or another goes on.
func (r *Rounds[Q, A]) run() {
	for calls := r.take(); len(calls) > 0; calls = r.take() {
		r.round(calls)
		if !r.goOn() {
			return
		}
	}
}

// goOn leaves the rest to the other rounds where there are some. Should those be held
// up, patience ends.
func (r *Rounds[Q, A]) goOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == 1 {
		return true
	}
	r.running--
	r.bePatient()
	return false
}

func (r *Rounds[Q, A]) take() []*call[Q, A] {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.patience != nil {
		r.patience.Stop() // one that has fired meanwhile begins a round early at worst
		r.patience = nil
	}
	n := min(len(r.waiting), r.Most)
	calls := r.waiting[:n:n]
	r.waiting = r.waiting[n:]
	if n == 0 {
		r.waiting = nil
		r.running--
	}
	r.bePatient()
	return calls
}

func (r *Rounds[Q, A]) round(calls []*call[Q, A]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(calls[0].ctx), r.Timeout)
	defer cancel()
	questions := make([]Q, len(calls))
	for i, c := range calls {
		questions[i] = c.question
	}
	answers, err := r.do(ctx, questions)
	for i, c := range calls {
		switch {
		case err == nil:
			c.answer = answers[i]
		case r.Apart && len(calls) > 1:
			var alone []A
			if alone, c.err = r.do(ctx, questions[i:i+1]); c.err == nil {
				c.answer = alone[0]
			}
		default:
			c.err = err
		}
		close(c.done)
	}
}

// do makes a panic an error of its callers: nobody else would recover it here.
func (r *Rounds[Q, A]) do(ctx context.Context, questions []Q) (answers []A, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	answers, err = r.Do(ctx, questions)
	if err == nil && len(answers) != len(questions) {
		err = fmt.Errorf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers, err
}
