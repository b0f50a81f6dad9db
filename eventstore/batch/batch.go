// Package batch runs concurrent calls in batches, so that one round trip to the database serves many callers. With 32
// clients that file reports, looking up the clients in batches saves a fifth of the server's CPU time per report, and
// reading the content in batches saves as much again. Other modules must not import it.
package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Batcher collects concurrent calls of Do and answers them in batches. A call that arrives while a
// batch runs joins the next one, so an answer never reflects a state from before its call. A slow
// batch does not delay later calls: after Patience the next batch starts concurrently, up to
// MaxConcurrent. A batch runs until it ends or Timeout passes, even if its callers have returned.
// It carries the context values of its first caller, so it appears only in that caller's trace.
//
// With Alone, a caller does not fail because of another one's question: if a batch fails and the
// connection was not lost, each question runs again by itself, on its caller's context and
// concurrently with later batches.
//
// It is safe for concurrent use. The exported fields must not change after the first
// call of Do.
type Batcher[Q, A any] struct {
	// Run answers each question at its own index, or returns an error for the whole batch. With
	// Alone it may be called again for a question that a failed batch has already answered.
	Run           func(ctx context.Context, questions []Q) ([]A, error)
	MaxSize       int // questions in a batch; at least 1
	MaxConcurrent int // batches that run at once; at least 1
	Patience      time.Duration
	Timeout       time.Duration
	// Alone bounds the run of a single question after its batch has failed, unless the connection
	// was lost. 0 disables such runs, and the callers share the batch's error.
	Alone time.Duration

	mu      sync.Mutex
	waiting []*call[Q, A]
	running int
	timer   *time.Timer   // starts another concurrent batch
	alone   chan struct{} // has a value for each question that runs by itself
}

// maxAlone is how many questions of a Batcher run by themselves at once, so that callers who wait
// for locks do not use up the connections.
const maxAlone = 8

// New returns a Batcher for statements that take milliseconds.
func New[Q, A any](timeout time.Duration, run func(ctx context.Context, questions []Q) ([]A, error)) Batcher[Q, A] {
	return Batcher[Q, A]{Run: run, MaxSize: 100, MaxConcurrent: 2, Patience: 10 * time.Millisecond, Timeout: timeout}
}

type call[Q, A any] struct {
	ctx      context.Context
	question Q
	done     chan struct{} // closed once answer and err are set
	answer   A
	err      error
}

// Do returns the answer to the question. It returns early if ctx ends.
func (b *Batcher[Q, A]) Do(ctx context.Context, question Q) (answer A, err error) {
	c := &call[Q, A]{ctx: ctx, question: question, done: make(chan struct{})}
	b.add(c)
	select {
	case <-c.done:
	case <-ctx.Done():
		return answer, context.Cause(ctx)
	}
	if c.err == nil || b.Alone == 0 || postgres.Lost(c.err) {
		return c.answer, c.err
	}
	return b.runAlone(ctx, question)
}

func (b *Batcher[Q, A]) runAlone(ctx context.Context, question Q) (answer A, err error) {
	select {
	case b.alone <- struct{}{}:
		defer func() { <-b.alone }()
	case <-ctx.Done():
		return answer, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, aloneKey{}, true), b.Alone)
	defer cancel()
	answers, err := b.run(ctx, []Q{question})
	if err != nil {
		return answer, err
	}
	return answers[0], nil
}

func (b *Batcher[Q, A]) add(c *call[Q, A]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.alone == nil {
		b.alone = make(chan struct{}, maxAlone)
	}
	b.waiting = append(b.waiting, c)
	if b.running == 0 {
		b.running++
		go b.loop()
	}
	b.startTimer()
}

// startTimer starts another loop after Patience if calls still wait then.
func (b *Batcher[Q, A]) startTimer() {
	if b.timer == nil && len(b.waiting) > 0 && b.running < b.MaxConcurrent {
		b.timer = time.AfterFunc(b.Patience, b.startConcurrent)
	}
}

func (b *Batcher[Q, A]) startConcurrent() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.timer = nil
	if len(b.waiting) > 0 && b.running < b.MaxConcurrent {
		b.running++
		go b.loop()
	}
}

// loop runs batches until no call waits or another loop takes over.
func (b *Batcher[Q, A]) loop() {
	for calls := b.take(); len(calls) > 0; calls = b.take() {
		b.answer(calls)
		if b.leave() {
			return
		}
	}
}

// leave ends this loop if another one runs, and reports whether it did. If the others are slow, the
// timer starts another loop.
func (b *Batcher[Q, A]) leave() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running == 1 {
		return false
	}
	b.running--
	b.startTimer()
	return true
}

func (b *Batcher[Q, A]) take() []*call[Q, A] {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop() // if it has fired already, a batch starts early
		b.timer = nil
	}
	n := min(len(b.waiting), b.MaxSize)
	calls := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	if n == 0 {
		b.waiting = nil
		b.running--
	}
	b.startTimer()
	return calls
}

func (b *Batcher[Q, A]) answer(calls []*call[Q, A]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(calls[0].ctx), b.Timeout)
	defer cancel()
	answers, err := b.run(ctx, domain.Map(calls, func(c *call[Q, A]) Q { return c.question }))
	for i, c := range calls {
		if c.err = err; err == nil {
			c.answer = answers[i]
		}
		close(c.done)
	}
}

// run turns a panic into an error, since no caller could recover it.
func (b *Batcher[Q, A]) run(ctx context.Context, questions []Q) (answers []A, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	answers, err = b.Run(ctx, questions)
	if err == nil && len(answers) != len(questions) {
		err = fmt.Errorf("the batch has %d answers to %d questions", len(answers), len(questions))
	}
	return answers, err
}
