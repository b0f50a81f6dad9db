package cmd

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows on standard error how far a long command is, if that is a terminal. It is
// safe for concurrent use.
type progress struct {
	mu   sync.Mutex
	bar  *progressbar.ProgressBar
	last int64
}

// progress returns the progress of one part of a command.
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

// set shows that n of a total are done. A total of 0 is unknown.
func (p *progress) set(n, of int64) {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if of > 0 && p.bar.GetMax64() != of {
		p.bar.ChangeMax64(of)
	}
	if n > p.last { // workers may report out of order
		p.last = n
		_ = p.bar.Set64(n) // a closed terminal does not stop the work
	}
}

// done removes the bar.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
