package http_test

import (
	"bufio"
	"context"
	nethttp "net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/postgres/pgtest"
	"github.com/docketmod/docket/subscribers/live"
)

// anyModerator takes every caller for a moderator of everything.
type anyModerator struct{}

func (anyModerator) Authenticate(context.Context, account.Credentials) (*permission.Caller, error) {
	return &permission.Caller{UserID: uuid.NewString(), Moderator: &permission.Entry{Unrestricted: true}}, nil
}

// BenchmarkLiveFeed opens 2,000 feeds and measures how long a new event takes to
// reach all of them, with the memory that server and clients take together.
func BenchmarkLiveFeed(b *testing.B) {
	const feeds = 2000
	pool := pgtest.New(b)
	hub, err := live.NewHub(pool, live.Config{Log: zerolog.Nop()})
	require.NoError(b, err)
	sealer := eventstore.NewSealer(pool, zerolog.Nop(), func(int64) { hub.Wake() })
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	server := httptest.NewUnstartedServer(nil)
	server.Config = http.NewServer(http.New(http.Config{Log: zerolog.Nop(), Authenticator: anyModerator{}}, &http.Live{Hub: hub, Authenticator: anyModerator{}}))
	server.Start()
	defer func() { hub.Stop(); server.Close(); cancel(); running.Wait() }()

	arrived := make(chan struct{}, feeds)
	client := &nethttp.Client{Transport: &nethttp.Transport{ReadBufferSize: 1024, WriteBufferSize: 1024}}
	for range feeds {
		r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, server.URL+http.Base+"/moderation/live", nil)
		require.NoError(b, err)
		r.Header.Set("Authorization", "Bearer of anybody")
		var resp *nethttp.Response
		require.Eventually(b, func() bool {
			resp, err = client.Do(r)
			return err == nil && resp.StatusCode == nethttp.StatusOK
		}, time.Minute, 10*time.Millisecond)
		running.Go(func() {
			defer resp.Body.Close()
			lines := bufio.NewScanner(resp.Body)
			lines.Buffer(make([]byte, 512), 1024)
			for lines.Scan() {
				if lines.Text() == "event: created" {
					arrived <- struct{}{}
				}
			}
		})
	}
	for b.Loop() {
		id := uuid.Must(uuid.NewV7())
		for _, sql := range []string{
			`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
				locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
			 VALUES ($1, 'new', 1, 1, 'forum', 'forum.post', '42', 'posts', 'en', 'en', 'spam', '', '', '', now(), now())`,
			`INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
			 VALUES (gen_random_uuid(), $1, 1, 1, 'created', '{}', now(), '', '')`,
		} {
			_, err := pool.Exec(ctx, sql, id)
			require.NoError(b, err)
		}
		_, err := sealer.Seal(ctx)
		require.NoError(b, err)
		for range feeds {
			<-arrived
		}
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.Sys-memory.HeapReleased)/(1<<20), "MB")
}
