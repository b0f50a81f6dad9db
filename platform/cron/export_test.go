package cron

import "time"

// SetWatchInterval sets how soon the loss of the locks' connection is noticed.
func (c *Cron) SetWatchInterval(d time.Duration) { c.locks.interval = d }
