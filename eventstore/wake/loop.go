// Package wake runs work again and again in the background: when somebody asks for it, and
// now and then for what other servers did, which wake nobody here.
package wake

import (
	"context"
	"time"
)

// Loop runs one pass after the other. Its zero value is not usable; see NewLoop.
type Loop struct {
	every, pause time.Duration
	wake         chan struct{}
}

// NewLoop makes a loop that passes at least once in every, and waits for pause after it was
// woken, so that what a busy moment brings is done in one pass.
func NewLoop(every, pause time.Duration) *Loop {
	return &Loop{every: every, pause: pause, wake: make(chan struct{}, 1)}
}

// Wake asks for a pass soon; it never blocks.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Run passes until ctx ends, at once for the first time.
func (l *Loop) Run(ctx context.Context, pass func(ctx context.Context)) {
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for {
		pass(ctx)
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-tick.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(l.pause):
		}
		select {
		case <-l.wake: // the pass that begins now is for this call too
		default:
		}
	}
}
