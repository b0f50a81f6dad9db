package main

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress tells on standard error how far a long command is. Without a
// terminal it tells nothing. It is safe for concurrent use.
type progress struct {
	mu   sync.Mutex
	bar  *progressbar.ProgressBar
	last int64
}

// progress makes the progress of one part of a command, whose size is told with set.
func (a *app) progress(what string) *progress {
	if !isTerminal(a.stderr) {
		return &progress{}
	}
	return &progress{bar: progressBar(a.stderr, what)}
}

func progressBar(w io.Writer, what string) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// set says how many of how many are done; of 0 is not known.
func (p *progress) set(n, of int64) {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if of > 0 && p.bar.GetMax64() != of {
		p.bar.ChangeMax64(of)
	}
	if n > p.last { // workers may tell out of order
		p.last = n
		_ = p.bar.Set64(n) // a terminal that is gone stops no work
	}
}

// done takes the bar away.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
