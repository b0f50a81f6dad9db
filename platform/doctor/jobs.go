package doctor

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/platform/cron"
)

// Cron checks that scheduled jobs run. defaultSecret means that the publicly known secret is in
// use.
func Cron(health func(context.Context) (cron.Health, error), defaultSecret bool) Check {
	return Check{Name: "jobs", Run: func(ctx context.Context) []Finding {
		jobs, err := health(ctx)
		switch {
		case err != nil:
			return unexamined(err)
		case jobs.Stale && jobs.OverdueJobs == 0:
			return bad(Fault, "overdue", "No scheduler has called of late.", scheduler)
		case jobs.OverdueJobs > 0:
			late := "1 scheduled job has"
			if jobs.OverdueJobs > 1 {
				late = fmt.Sprintf("%d scheduled jobs have", jobs.OverdueJobs)
			}
			return bad(Fault, "overdue", late+" not run when due.", scheduler)
		}
		var found []Finding
		if defaultSecret {
			found = bad(Warning, "default_secret", "CRON_SECRET is the public default: anybody may run the jobs.", "Set CRON_SECRET to a secret: openssl rand -hex 24.")
		}
		if jobs.LastRun == nil {
			found = append(found, bad(Off, "never", "No scheduler has called yet.", scheduler)...)
		}
		if found == nil {
			return fine("Scheduled jobs run.")
		}
		return found
	}}
}

const scheduler = "Set CRON_ADAPTER=inprocess, or let a scheduler post to /api/@platform/core/cron each minute with CRON_SECRET."
