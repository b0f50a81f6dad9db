// Package wake runs background work in passes: when this server requests one, and at an interval, since other servers
// cannot wake this one. Other modules must not import it.
package wake

import (
	"context"
	"time"
)

// Loop runs passes one after the other. Its zero value is not usable; see NewLoop.
type Loop struct {
	every, pause time.Duration
	wake         chan struct{}
}

// NewLoop returns a loop that begins a pass at least once in every, and at most once in pause.
func NewLoop(every, pause time.Duration) *Loop {
	return &Loop{every: every, pause: pause, wake: make(chan struct{}, 1)}
}

// Wake requests a pass soon; it never blocks.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Run runs a pass at once, and further ones until ctx ends.
func (l *Loop) Run(ctx context.Context, pass func(ctx context.Context)) {
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for {
		paused := time.After(l.pause)
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
		case <-paused:
		}
		select {
		case <-l.wake: // the next pass serves this call too
		default:
		}
	}
}
