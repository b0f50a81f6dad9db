package cmd

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/publicnotice"
	"github.com/docketmod/docket/platform/targetscope"
)

// jobs lists Docket's own scheduled jobs, each idempotent. Those of plugins are in
// wiring_plugins.go.
func (s *Server) jobs(store *eventstore.Store) []cron.Job {
	own := func(module, name, schedule, description string, run func(context.Context) error) cron.Job {
		return cron.Job{PluginID: permission.CorePlugin, Module: module, Name: name, Schedule: schedule, Description: description, Run: run}
	}
	timed := func(module, name, schedule, description string, run func(context.Context) error) cron.Job {
		job := own(module, name, schedule, description, run)
		job.ByOwnClock = true
		return job
	}
	notices := publicnotice.Store{Pool: s.db.Pool} // including notices from before DOCKET_NOTICES was turned off
	reconciler := &targetscope.Reconciler{Pool: s.db.Pool, Targets: s.registered.Targets, Log: s.log}
	drain := own("queue", "process", "* * * * *", "Runs the tasks that wait in the queue.", s.queue.Drain)
	drain.EveryTick, drain.Limit = true, time.Minute
	jobs := append([]cron.Job{drain, s.checkpointJob()}, s.retentionJobs(store)...)
	// Without its setting the job would count as run, and another server with the setting would not run it.
	if s.cfg.ClaimTimeout > 0 {
		jobs = append(jobs, own("moderation", "release-lapsed", "* * * * *", "Releases reports that their holders have not touched for DOCKET_CLAIM_TIMEOUT, each once.", s.moderation.ReleaseLapsed))
	}
	if s.delivery.mail != nil {
		jobs = append(jobs, timed("moderation", "send-digests", "* * * * *", "Mails moderators who ask for it what waits for them, and at once what is overdue.", s.sendDigests))
	}
	if s.cfg.StatementsURL != "" {
		jobs = append(jobs, timed("moderation", "send-statements", "* * * * *", "Sends statements of reasons that are due to the transparency database.", s.statements.Send))
	}
	return append(jobs,
		timed("moderation", "trim-notices", "47 * * * *", "Forgets notices by anybody that were not confirmed within a day, and what their limits no longer count.", notices.Trim),
		own("queue", "warn-unhandled", "*/5 * * * *", "Warns, once each, about tasks that no server handles.", s.queue.WarnUnhandled),
		own("queue", "trim", "17 * * * *", "Deletes tasks that were completed more than seven days ago.", discard(s.queue.Trim)),
		own("moderation", "reconcile-scopes", "*/5 * * * *", "Asks targets for their present scope where nothing told of a move.", reconciler.Run),
		timed("users", "expire-sessions", "7 * * * *", "Deletes sessions that have expired and sign-in failures that no longer count.", discard(s.accounts.DeleteExpired)),
		timed("events", "trim-messages", "*/10 * * * *", "Deletes messages that every group of listeners has read.", discard(s.router.Trim)),
		own("events", "trim-deliveries", "37 4 * * *", "Deletes webhook deliveries that were done 30 days ago.", discard(s.delivery.webhooks.Trim)),
		timed("moderation", "announce-overdue", "* * * * *", "Announces open reports that have passed their deadline, each once.", s.moderation.AnnounceOverdue),
		timed("moderation", "lapse-held", "* * * * *", "Ends decisions that wait for a second person and that nobody has released within 24 hours, each once.", s.moderation.LapseHeld),
		timed("moderation", "end-measures", "* * * * *", "Ends measures on authors that are due, and those whose strikes were taken away, each once.", s.moderation.EndMeasures),
		own("moderation", "mend-reports", "* * * * *", "Stores what servers of the release before left out of rows of reports.", s.mendReports),
		own("moderation", "settle-requests", "* * * * *", "Settles actions that were asked of platforms and whose tasks ended without an outcome.", s.settleRequests),
		own("moderation", "trim-passes", "17 * * * *", "Forgets which cases were passed on or parked until a time that has come, and signals that came 30 days ago.", s.trimPasses),
		own("moderation", "trim-attempts", "27 * * * *", "Forgets filing attempts that no limit counts any more.", s.accounts.TrimAttempts),
	)
}

// discard adapts run to a job by dropping its count.
func discard(run func(context.Context) (int64, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := run(ctx)
		return err
	}
}
