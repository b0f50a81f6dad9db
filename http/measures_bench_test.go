package http_test

import (
	"context"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// dueAtOnce is how many measures have expired while no server ran.
const dueAtOnce = 1000

// BenchmarkEndsAfterDowntime starts a server and runs the job that ends the measures that expired
// in the meantime, one a report. It measures until all have ended, and until a webhook has heard of
// each.
func BenchmarkEndsAfterDowntime(b *testing.B) {
	for range b.N {
		b.StopTimer()
		d := newBundleWith(b, map[string]string{"DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"})
		var mu sync.Mutex
		heard := map[string]int{}
		receiver := httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
			mu.Lock()
			defer mu.Unlock()
			heard[r.Header.Get("webhook-id")]++
		}))
		b.Cleanup(receiver.Close)
		d.admin("Root").post("/admin/webhooks", map[string]any{"url": receiver.URL, "events": []any{event.MeasureEnded}}).status(nethttp.StatusCreated)
		d.imposeExpired(dueAtOnce)
		b.StartTimer()

		start := time.Now()
		stop := d.run()
		d.runJob("end-measures")
		pgtest.Eventually(b, func() bool {
			return d.count(`SELECT count(*) FROM core_moderation_measures WHERE ended_at IS NULL`) == 0
		}, "each has ended")
		b.ReportMetric(time.Since(start).Seconds(), "s/ended")
		pgtest.Eventually(b, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(heard) == dueAtOnce
		}, "the webhook has heard of each")
		b.ReportMetric(time.Since(start).Seconds(), "s/heard")

		b.StopTimer()
		d.runJob("end-measures")
		pgtest.Eventually(b, func() bool {
			return d.count(`SELECT count(*) FROM core_notices WHERE kind = 'measure' AND event_id IN (
				SELECT event_id::text FROM core_moderation_report_events WHERE type = 'measure_ended')`) == dueAtOnce
		}, "the authors are told of each")
		stop()
		require.Equal(b, dueAtOnce, d.count(`SELECT count(*) FROM core_moderation_report_events WHERE type = 'measure_ended'`), "each once")
		for id, times := range heard {
			require.Equal(b, 1, times, id)
		}
		d.sound()
	}
}

// imposeExpired imposes suspensions on the members that are due already, each by a report.
func (b *bundle) imposeExpired(count int) {
	b.t.Helper()
	reporters := make([]string, count/20+1) // an account files 20 in an hour
	for i := range reporters {
		reporters[i] = b.user(fmt.Sprintf("Reporter %d", i))
	}
	ctx, log := context.Background(), b.log()
	until := time.Now().Add(-time.Minute).UTC().Truncate(time.Microsecond)
	for i := range count {
		author := b.members[i%len(b.members)]
		filed, err := log.File(ctx, moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint("gone ", i), PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: reporters[i%len(reporters)],
			Words: report.CreatedWords{ReporterName: "Reporter", Title: "A title", Snapshot: fmt.Appendf(nil, `{"version":1,"title":"A title","fields":[],"authors":[{"id":%q}]}`, author)},
		}})
		require.NoError(b.t, err)
		_, err = log.Update(ctx, moderation.Ref{ReportID: filed.ID}, nil, func(context.Context, pgx.Tx, moderation.Loaded) (c moderation.Change, err error) {
			c.Facts = []report.Fact{&report.Resolved{Resolution: report.ActionTaken},
				&report.MeasureImposed{Author: measure.Author{PluginID: "forum", ID: author}, Kind: measure.Suspend, Until: &until, Because: measure.ByModerator}}
			return c, nil
		})
		require.NoError(b.t, err)
	}
}
