package cron

import (
	"context"
	"sync"
	"time"
)

// Run is the in-process adapter (CRON_ADAPTER=inprocess). It ticks at each full minute
// until ctx ends, even while jobs of earlier ticks run, and returns after its last tick. An
// external scheduler may call as well; each job still runs once.
func (c *Cron) Run(ctx context.Context) {
	var ticks sync.WaitGroup
	defer ticks.Wait()
	for {
		now := time.Now()
		timer := time.NewTimer(now.Truncate(c.interval).Add(c.interval).Sub(now))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		ticks.Go(func() {
			executed, err := c.Tick(ctx)
			switch {
			case ctx.Err() != nil:
			case err != nil:
				c.log.Error().Err(err).Msg("scheduled jobs not processed")
			default:
				c.log.Debug().Int("executed", executed).Msg("scheduled jobs processed")
			}
		})
	}
}
