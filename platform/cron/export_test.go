package cron

import "time"

// SetWatchInterval sets how soon the loss of the locks' connection is noticed.
func (c *Cron) SetWatchInterval(d time.Duration) { c.locks.WatchEvery(d) }

// SetPatience sets how long a call waits for the database before it begins.
func (c *Cron) SetPatience(d time.Duration) { c.patience = d }
