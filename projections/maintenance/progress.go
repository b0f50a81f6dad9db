package maintenance

import (
	"context"
	"sync"
	"time"
)

// runProgress stores how far a run is, once a second.
type runProgress struct {
	mu          sync.Mutex
	done, total int64

	cancel context.CancelFunc
	ended  chan struct{}
}

// storeProgress stores progress until stop is called.
func (r *Runs) storeProgress(ctx context.Context, runID string) *runProgress {
	p := &runProgress{ended: make(chan struct{})}
	ctx, p.cancel = context.WithCancel(ctx)
	go func() {
		defer close(p.ended)
		tick := time.NewTicker(storeEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			done, total := p.get()
			// An error shows in the run's own outcome.
			_, _ = r.pool.Exec(ctx, `UPDATE core_projection_runs SET done = $2, total = $3 WHERE id = $1`, runID, done, total)
		}
	}()
	return p
}

func (p *runProgress) set(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

func (p *runProgress) get() (done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done, p.total
}

// stop ends the storing and returns the last progress.
func (p *runProgress) stop() (done, total int64) {
	p.cancel()
	<-p.ended
	return p.get()
}
