package queue

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
)

// Causes for which the context of an attempt ends early.
var (
	errLimit     = errors.New("the attempt took longer than its limit")
	errLeaseLost = errors.New("the lease of the attempt has ended")
	errStopping  = errors.New("the server is stopping")
)

// unresponsive is how long a handler may run after its context has ended before its slot is reused.
const unresponsive = time.Second

// statementLimit bounds the statements for which a stopping server waits.
const statementLimit = 3 * time.Second

// engine runs the attempts of one Run or Drain: handlers concurrently, one goroutine
// that stores outcomes in batches, and one that extends leases.
type engine struct {
	q         *Queue
	handlers  context.Context // parent of the handlers' contexts
	interrupt context.CancelCauseFunc

	outcomes chan outcome
	running  sync.WaitGroup // attempts without an outcome yet
	closed   chan struct{}
	settled  sync.WaitGroup // settler and extender

	mu     sync.Mutex
	leases map[fence]*lease // until the outcome is stored

	// storing prevents the goroutine that stores outcomes and the one that extends leases from locking the same rows in
	// different orders.
	storing sync.Mutex
}

// fence identifies an attempt of a task.
type fence struct {
	taskID  string
	attempt int32
}

type lease struct {
	until  time.Time
	cancel context.CancelCauseFunc
}

func (q *Queue) newEngine(ctx context.Context) *engine {
	e := &engine{
		q: q, outcomes: make(chan outcome, maxSettle), closed: make(chan struct{}),
		leases: make(map[fence]*lease),
	}
	// Stopping lets handlers finish; interrupt ends them.
	e.handlers, e.interrupt = context.WithCancelCause(context.WithoutCancel(ctx))
	e.settled.Go(e.settleAll)
	e.settled.Go(e.extendAll)
	return e
}

// start runs one attempt in its own goroutine and calls release once its outcome is
// known.
func (e *engine) start(t taken, release func()) {
	handler := e.q.handler(t.PluginID, t.Name) // take leases no others
	ctx, cancel := context.WithCancelCause(e.handlers)
	ctx, stop := context.WithTimeoutCause(ctx, handler.Limit, errLimit)
	e.hold(t, cancel)
	e.running.Add(1)
	var once sync.Once
	finish := func(err error) {
		once.Do(func() {
			e.finish(t, err)
			release()
			e.running.Done()
		})
	}
	// A handler that ignores the end of its context does not delay others.
	abandon := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(unresponsive, func() { finish(context.Cause(ctx)) })
		_ = timer // stops when the handler returns
	})
	go func() {
		err := run(ctx, handler, Attempt{
			TaskID: t.ID, PluginID: t.PluginID, Name: t.Name, Payload: t.Payload,
			Number: int(t.Number), Last: t.Number >= t.MaxAttempts,
		})
		abandon()
		finish(err)
		stop()
		cancel(nil)
	}()
}

func (e *engine) finish(t taken, err error) {
	o := e.q.outcome(t, err)
	if err != nil {
		e.q.config.Log.Warn().Str("task", t.ID).Str("plugin", t.PluginID).Str("name", t.Name).
			Int32("attempt", t.Number).Str("status", string(o.status)).Msg("task attempt failed")
	}
	select {
	case e.outcomes <- o:
	case <-e.closed: // abandoned at the stop; the task returns with its lease
	}
}

// outcome decides the state of a task after an attempt.
func (q *Queue) outcome(t taken, err error) outcome {
	o := outcome{id: t.ID, attempt: t.Number, status: Completed}
	if err == nil {
		return o
	}
	o.lastError = new(errorText(err))
	var permanent *permanentError
	switch {
	case errors.As(err, &permanent):
		o.status = Failed
	case errors.Is(err, errStopping): // not the task's fault; another server may run it at once
		o.status = Pending
	case t.Number >= t.MaxAttempts:
		o.status = Failed
	default:
		o.status, o.wait = Pending, backoff(int(t.Number))
	}
	return o
}

// errorText returns the error as storable text of at most 4,000 bytes.
func errorText(err error) string {
	const limit = 4000
	text := strings.ReplaceAll(err.Error(), "\x00", "")
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}

// stop waits up to wait for running attempts and then cancels them. It returns when all outcomes
// are stored, or at most two seconds and four statements after the cancellation.
func (e *engine) stop(wait time.Duration) {
	if !within(wait, e.running.Wait) {
		e.interrupt(errStopping)
		within(2*unresponsive, e.running.Wait)
	}
	e.interrupt(errStopping)
	close(e.closed)
	e.settled.Wait()
}

// within calls f and reports whether it returned in time.
func within(d time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
