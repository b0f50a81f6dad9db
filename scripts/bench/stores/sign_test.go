package stores

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// BenchmarkSigning files at 32 clients into a log of 300,000 signed events, by turns with
// and without signing. It leaves out HTTP, sessions and captures, so that the share of signing
// shows; over HTTP, where signing may take 5 % of the rate, it is a third of that.
func BenchmarkSigning(b *testing.B) {
	const clients, turn = 32, 2 * time.Second
	l, _ := logtest.NewLong(b, 90_000)
	pool := l.Pool
	with := eventstore.New(pool, projections.Inline{}, nil, l.Key, time.Now, func() {})
	without := eventstore.New(pool, projections.Inline{}, nil, nil, time.Now, func() {})
	var filed atomic.Int64
	rate := func(store *eventstore.Store) float64 {
		var wg sync.WaitGroup
		errs := make([]error, clients)
		before, start := filed.Load(), time.Now()
		for client := range clients {
			reporter := newReporter(b, pool)
			wg.Go(func() {
				for n := 0; time.Since(start) < turn && errs[client] == nil; n++ {
					if n == report.FilingsPerHour {
						reporter, n = newReporter(b, pool), 0
					}
					_, errs[client] = store.File(b.Context(), filing(reporter, fmt.Sprint("signed-", filed.Add(1))))
				}
			})
		}
		wg.Wait()
		took := time.Since(start)
		require.NoError(b, errors.Join(errs...))
		return float64(filed.Load()-before) / took.Seconds()
	}
	rate(with) // the caches of both
	var signed, unsigned float64
	for b.Loop() {
		signed += rate(with)
		unsigned += rate(without)
	}
	b.ReportMetric(signed/float64(b.N), "signed/s")
	b.ReportMetric(unsigned/float64(b.N), "unsigned/s")
	b.ReportMetric(signed/unsigned, "ratio")
}

func newReporter(b *testing.B, pool *pgxpool.Pool) string {
	return pgtest.One[string](b, pool, `INSERT INTO core_users (id, name, created_at) VALUES (gen_random_uuid(), 'User', now()) RETURNING id::text`)
}

func filing(reporter, target string) moderation.Filing {
	return moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: reporter,
		Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[],"authors":[{"id":"author-1"}]}`)},
	}}
}
