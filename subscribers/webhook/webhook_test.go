package webhook

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

type bundle struct {
	t     *testing.T
	pool  *pgxpool.Pool
	store *Store
	clock time.Time
}

func setup(t *testing.T, config Config) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pgtest.New(t), clock: time.Now().UTC().Truncate(time.Microsecond)}
	config.Log = zerolog.Nop()
	config.Now = func() time.Time { return b.clock }
	b.store = NewStore(b.pool, config)
	return b
}

func (b *bundle) create(n New) Webhook {
	b.t.Helper()
	w, err := b.store.Create(b.t.Context(), n)
	require.NoError(b.t, err)
	return w
}

// hear gives the listener events, as a subscriber does.
func (b *bundle) hear(events ...event.Event) {
	b.t.Helper()
	require.NoError(b.t, pgx.BeginFunc(b.t.Context(), b.pool, func(tx pgx.Tx) error {
		return b.store.Listener().HandleAll(b.t.Context(), tx, events)
	}))
}

func created() event.Event {
	return event.Event{ID: uuid.NewString(), Name: event.ReportCreated, PluginID: "forum", OccurredAt: time.Date(2026, 10, 11, 19, 33, 21, 0, time.UTC),
		Payload: []byte(`{"reportId":"r","reason":"spam"}`)}
}

func (b *bundle) deliveries(w Webhook) []Delivery {
	b.t.Helper()
	page, err := b.store.Deliveries(b.t.Context(), w.ID, DeliveryList.First(100))
	require.NoError(b.t, err)
	return page.Edges
}

// attempt runs the task of a delivery once.
func (b *bundle) attempt(d Delivery, last bool) error {
	b.t.Helper()
	return b.store.attempt(b.t.Context(), queue.Attempt{Number: 1, Last: last}, payload{d.ID})
}

func (b *bundle) tasks() (n int) {
	b.t.Helper()
	return pgtest.One[int](b.t, b.pool, `SELECT count(*) FROM core_queue WHERE name = $1 AND queue = 'outbound'`, Task)
}

func TestADeliveryIsSignedAndVerifies(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	type received struct {
		header http.Header
		body   []byte
	}
	got := make(chan received, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- received{r.Header, body}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(receiver.Close)
	w := b.create(New{URL: receiver.URL})
	e := created()
	pgtest.Exec(t, b.pool, `INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		VALUES ($1, gen_random_uuid(), 7, 1, 'created', '{}', now(), '', '')`, e.ID)
	b.hear(e)
	require.Equal(t, 1, b.tasks())

	q := queue.New(b.pool, queue.Config{Poll: 10 * time.Millisecond})
	require.NoError(t, b.store.Register(q))
	stop := platformtest.Run(t, q.Run)
	r := <-got
	pgtest.Eventually(t, func() bool { return b.deliveries(w)[0].Status == "delivered" }, "the delivery is made")
	stop()

	verifier, err := standardwebhooks.NewWebhook(w.Secret)
	require.NoError(t, err)
	require.NoError(t, verifier.Verify(r.body, r.header))
	require.Equal(t, []string{e.ID, "7"}, []string{r.header.Get("webhook-id"), r.header.Get("webhook-sequence")})
	require.JSONEq(t, `{"type":"moderation.report.created","timestamp":"2026-10-11T19:33:21.000000Z","data":{"reportId":"r","reason":"spam"}}`, string(r.body))
	d := b.deliveries(w)[0]
	require.Equal(t, []any{1, 202, e.ID, event.ReportCreated}, []any{d.Attempts, *d.StatusCode, d.EventID, d.Event})
	listed, err := b.store.Get(t.Context(), w.ID)
	require.NoError(t, err)
	require.Empty(t, listed.Secret, "a secret is shown once")
}

// Each hostile endpoint ends as a failed delivery with a clear reason, in time.
func TestHostileEndpoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serve  http.HandlerFunc
		allow  []netip.Prefix
		reason string
	}{
		"slow": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, loopback, "no complete answer within 300ms"},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, loopback, "the answer broke off: no complete answer within 300ms"},
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		}, loopback, "answered 302, a redirect"},
		"an error":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, loopback, "answered 500"},
		"a private one": {func(http.ResponseWriter, *http.Request) {}, nil, "127.0.0.1 is not public"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // or the server does not see the client leave
				c.serve(w, r)
			}))
			t.Cleanup(receiver.Close)
			timeout := 20 * time.Second
			if name == "slow" || name == "endless" {
				timeout = 300 * time.Millisecond
			}
			b := setup(t, Config{Allow: c.allow, Timeout: timeout})
			w := b.create(New{URL: receiver.URL})
			b.hear(created())
			require.Error(t, b.attempt(b.deliveries(w)[0], true))
			d := b.deliveries(w)[0]
			require.Equal(t, "failed", d.Status)
			require.Contains(t, *d.LastError, c.reason)
		})
	}
}

// Given a receiver that keeps connections, then the next delivery uses the same one, and a
// delivery after the receiver has closed it does not fail.
func TestAConnectionIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	w := b.create(New{URL: s.URL})
	for range 3 {
		b.hear(created())
	}
	deliveries := b.deliveries(w)
	require.NoError(t, b.attempt(deliveries[0], true))
	require.NoError(t, b.attempt(deliveries[1], true))
	require.EqualValues(t, 1, connections.Load())
	s.CloseClientConnections()
	require.NoError(t, b.attempt(deliveries[2], true))
	require.EqualValues(t, 2, connections.Load())
}

// Given many deliveries of two webhooks that are attempted at once, of which one is refused and
// one no longer exists, then each receiver gets its own, and each outcome stands by itself.
func TestDeliveriesThatRunTogetherStayApart(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	var refused atomic.Value
	refused.Store("")
	receiver := func(got *sync.Map) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := r.Header.Get("webhook-id")
			got.Store(id, true)
			if id == refused.Load() {
				w.WriteHeader(http.StatusTeapot)
			}
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	var got [2]sync.Map
	webhooks := []Webhook{b.create(New{URL: receiver(&got[0])}), b.create(New{URL: receiver(&got[1]), Events: []string{event.ReportCreated}})}
	for range 20 {
		b.hear(created())
	}
	first := b.deliveries(webhooks[0])
	refused.Store(first[7].EventID)
	var attempts errgroup.Group
	attempts.Go(func() error { return b.attempt(Delivery{ID: uuid.NewString()}, false) })
	failed := make(chan string, 40)
	for _, d := range append(first, b.deliveries(webhooks[1])...) {
		attempts.Go(func() error {
			if err := b.attempt(d, false); err != nil {
				failed <- d.EventID
			}
			return nil
		})
	}
	require.NoError(t, attempts.Wait())
	require.Len(t, failed, 2, "the refused event, of each webhook")
	require.Equal(t, []any{refused.Load(), refused.Load()}, []any{<-failed, <-failed})
	for i, w := range webhooks {
		for _, d := range b.deliveries(w) {
			_, came := got[i].Load(d.EventID)
			require.True(t, came)
			want, code := "delivered", http.StatusOK
			if d.EventID == refused.Load() {
				want, code = "pending", http.StatusTeapot
			}
			require.Equal(t, want, d.Status)
			require.Equal(t, code, *d.StatusCode)
			require.Equal(t, 1, d.Attempts)
		}
	}
}

func TestAHugeAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	wrote := make(chan int, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n, chunk := 0, make([]byte, 64<<10)
		for range 10_000 {
			m, err := w.Write(chunk)
			n += m
			if err != nil {
				break
			}
		}
		wrote <- n
	}))
	t.Cleanup(s.Close)
	w := b.create(New{URL: s.URL})
	b.hear(created())
	require.NoError(t, b.attempt(b.deliveries(w)[0], false))
	require.Less(t, <-wrote, 100<<20, "the connection is closed long before the end")
}

func TestWhoWantsWhat(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	report := uuid.NewString()
	pgtest.Exec(t, b.pool, `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
		VALUES ('forum', 'forum.post', '42', 'forum.category', 'general')`)
	pgtest.Exec(t, b.pool, `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id,
			permission_module, locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
		VALUES ($1, 'new', 1, 1, 'forum', 'forum.post', '42', 'posts', 'en', 'en', 'spam', '', '', '', now(), now())`, report)
	in := func(ids ...string) *scope.Scope {
		return &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: ids}
	}
	resolved := event.Event{ID: uuid.NewString(), Name: event.ReportResolved, ReportID: report, PluginID: "forum", Payload: []byte(`{}`)}
	hidden := event.Event{ID: uuid.NewString(), Name: event.Hidden("forum.post"), PluginID: "forum", Payload: []byte(`{"contentId":"42"}`)}
	unknown := event.Event{ID: uuid.NewString(), Name: event.Hidden("forum.post"), PluginID: "forum", Payload: []byte(`{"contentId":"43"}`)}
	nul := event.Event{ID: uuid.NewString(), Name: "content.forum.post.counted", PluginID: "forum", Payload: []byte(`{"contentId":"\u0000"}`)}
	odd := event.Event{ID: uuid.NewString(), Name: "content.forum.post.counted", PluginID: "forum", Payload: []byte(`42`)}
	cases := map[string]struct {
		n    New
		e    event.Event
		want int
	}{
		"everything":                  {New{}, resolved, 1},
		"its event":                   {New{Events: []string{event.ReportResolved}}, resolved, 1},
		"another event":               {New{Events: []string{event.ReportCreated}}, resolved, 0},
		"a prefix":                    {New{Events: []string{"moderation.report.*"}}, resolved, 1},
		"its plugin":                  {New{PluginID: "forum"}, resolved, 1},
		"another plugin":              {New{PluginID: "shop"}, resolved, 0},
		"its scope":                   {New{Scope: in("general")}, resolved, 1},
		"another scope":               {New{Scope: in("support")}, resolved, 0},
		"the whole family":            {New{Scope: &scope.Scope{Family: "forum.category", Mode: scope.All}}, resolved, 1},
		"another family":              {New{Scope: &scope.Scope{Family: "shop.aisle", Mode: scope.All}}, resolved, 0},
		"content in its scope":        {New{Scope: in("general")}, hidden, 1},
		"content that is not known":   {New{Scope: in("general")}, unknown, 0},
		"unknown content, everywhere": {New{}, unknown, 1},
		"a plugin's own event":        {New{Scope: in("general")}, odd, 0},
		"its own event, everywhere":   {New{}, odd, 1},
		"an id that cannot be stored": {New{Scope: in("general")}, nul, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.n.URL = "https://example.test/"
			b := &bundle{t: t, pool: b.pool, store: b.store}
			w := b.create(c.n)
			b.hear(c.e)
			require.Len(t, b.deliveries(w), c.want)
			require.NoError(t, b.store.Delete(t.Context(), w.ID))
		})
	}
}

// Given events that are heard together, of which each webhook wants others, then each delivery
// is of its own event.
func TestEventsThatAreHeardTogetherStayApart(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	webhooks := map[string]Webhook{}
	for _, name := range []string{"*", event.ReportCreated, event.ReportResolved, event.ReportReopened} {
		webhooks[name] = b.create(New{URL: "https://example.test/", Events: []string{name}})
	}
	var events []event.Event
	want := map[string][]string{} // the deliveries of each webhook
	for i, name := range []string{event.ReportCreated, event.ReportResolved, event.ReportOverdue, event.ReportCreated} {
		e := created()
		e.Name, e.Payload = name, fmt.Appendf(nil, `{"n":%d}`, i)
		delivery := fmt.Sprintf(`%s %s {"type":%q,"timestamp":"2026-10-11T19:33:21.000000Z","data":{"n":%d}}`, e.ID, name, name, i)
		events = append(events, e)
		want["*"], want[name] = append(want["*"], delivery), append(want[name], delivery)
	}
	b.hear(events...)
	for name, w := range webhooks {
		got := pgtest.All[string](t, b.pool, `SELECT concat_ws(' ', event_id, name, body) FROM core_webhook_deliveries WHERE webhook_id = $1`, w.ID)
		require.ElementsMatch(t, want[name], got)
	}
	require.Equal(t, 7, b.tasks())
}

// The queue's tasks can be tried again by hand: then the delivery is made, as the
// task's success says.
func TestAFailedTaskThatIsRetriedDelivers(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	status := http.StatusInternalServerError
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(s.Close)
	w := b.create(New{URL: s.URL})
	b.hear(created())
	require.Error(t, b.attempt(b.deliveries(w)[0], true))
	require.Equal(t, "failed", b.deliveries(w)[0].Status)

	status = http.StatusNoContent
	require.NoError(t, b.attempt(b.deliveries(w)[0], true))
	again := b.deliveries(w)[0]
	require.Equal(t, "delivered", again.Status)
	require.Equal(t, 2, again.Attempts)
}

// Given a server that went away in the last attempt of two deliveries, then they are
// listed as failed, can be sent again, and are deleted in the end; a delivery that is
// still to be tried is not, however old.
func TestADeliveryThatNobodyTriesAnyMoreHasFailed(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	w := b.create(New{URL: s.URL})
	b.hear(created())
	b.hear(created())
	require.Equal(t, []int{target.RemoteAttempts}, pgtest.All[int](t, b.pool, `SELECT DISTINCT max_attempts FROM core_queue`), "it is tried for a day")
	pgtest.Exec(t, b.pool, `UPDATE core_queue SET status = 'processing', attempts = max_attempts, locked_until = $1`, b.clock.Add(-time.Second))
	statuses := func() (all []string) {
		for _, d := range b.deliveries(w) { // newest first
			all = append(all, d.Status)
		}
		return all
	}
	require.Equal(t, []string{"pending", "pending"}, statuses(), "before anybody has noticed")
	require.ErrorIs(t, b.store.Redeliver(t.Context(), w.ID, b.deliveries(w)[0].ID), &domain.Error{Code: domain.CodeInvalidState})

	q := queue.New(b.pool, queue.Config{})
	require.NoError(t, b.store.Register(q))
	require.NoError(t, q.Drain(t.Context()))
	require.Equal(t, []string{"failed", "failed"}, statuses())

	b.hear(created())
	again := b.deliveries(w)[1]
	require.NoError(t, b.store.Redeliver(t.Context(), w.ID, strings.ToUpper(again.ID)))
	require.Equal(t, []string{"pending", "pending", "failed"}, statuses())
	require.ErrorIs(t, b.store.Redeliver(t.Context(), w.ID, again.ID), &domain.Error{Code: domain.CodeInvalidState})

	t.Log("what the release before enqueued has no task to look for")
	live := b.deliveries(w)[:2]
	exec := func(sql string) {
		pgtest.Exec(t, b.pool, sql, []string{live[0].ID, live[1].ID})
	}
	exec(`UPDATE core_webhook_deliveries SET task_id = NULL, attempted_at = now() - interval '23 hours' WHERE id = ANY ($1)`)
	require.Equal(t, []string{"pending", "pending", "failed"}, statuses())
	exec(`UPDATE core_webhook_deliveries SET attempted_at = now() - interval '25 hours' WHERE id = ANY ($1)`)
	require.Equal(t, []string{"failed", "failed", "failed"}, statuses())
	exec(`UPDATE core_webhook_deliveries d SET task_id = q.id FROM core_queue q
		WHERE q.payload->>'deliveryId' = d.id::text AND q.status = 'pending' AND d.id = ANY ($1)`)

	b.clock = b.clock.Add(31 * 24 * time.Hour)
	n, err := b.store.Trim(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Equal(t, []string{"pending", "pending"}, statuses())
	require.NoError(t, q.Drain(t.Context()))
	require.Equal(t, []string{"delivered", "delivered"}, statuses())
}

func TestASubscriptionThatOnlyFailsIsDisabled(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Allow: loopback})
	status := http.StatusInternalServerError
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(s.Close)
	w := b.create(New{URL: s.URL})
	state := func() Webhook {
		got, err := b.store.Get(t.Context(), w.ID)
		require.NoError(t, err)
		return got
	}
	b.hear(created())
	first := b.deliveries(w)[0]
	require.Error(t, b.attempt(first, false))
	require.Equal(t, b.clock, time.Time(*state().FailingSince).UTC())
	require.Equal(t, "pending", b.deliveries(w)[0].Status)

	t.Log("a success in between ends what counts")
	b.clock = b.clock.Add(20 * time.Hour)
	status = http.StatusOK
	require.NoError(t, b.attempt(first, false))
	require.Nil(t, state().FailingSince)
	require.NoError(t, b.attempt(first, false), "a repeat of the task sends nothing")
	require.Equal(t, 2, b.deliveries(w)[0].Attempts)

	t.Log("a day of nothing but failures ends the subscription")
	status = http.StatusBadGateway
	b.hear(created())
	second := b.deliveries(w)[0]
	require.Error(t, b.attempt(second, false))
	b.clock = b.clock.Add(24 * time.Hour)
	require.Error(t, b.attempt(second, true))
	require.False(t, state().Enabled)
	require.Contains(t, *state().DisabledReason, "answered 502")
	b.hear(created())
	require.Len(t, b.deliveries(w), 2, "nothing more is enqueued")

	t.Log("it can be enabled, pinged, and its failures sent again")
	status = http.StatusOK
	require.NoError(t, b.store.SendPing(t.Context(), w.ID))
	require.NoError(t, b.attempt(b.deliveries(w)[0], false))
	require.Equal(t, Ping, b.deliveries(w)[0].Event)
	enabled, err := b.store.Enable(t.Context(), w.ID, true)
	require.NoError(t, err)
	require.Equal(t, []any{true, (*domain.Time)(nil), (*string)(nil)}, []any{enabled.Enabled, enabled.DisabledAt, enabled.DisabledReason})
	require.NoError(t, b.store.Redeliver(t.Context(), w.ID, second.ID))
	require.ErrorIs(t, b.store.Redeliver(t.Context(), w.ID, second.ID), &domain.Error{Code: domain.CodeInvalidState})
	require.NoError(t, b.attempt(second, false))
	require.ErrorIs(t, b.store.Redeliver(t.Context(), w.ID, uuid.NewString()), &domain.Error{Code: domain.CodeNotFound})

	t.Log("a receiver that is gone is not tried again")
	status = http.StatusGone
	b.hear(created())
	require.Error(t, b.attempt(b.deliveries(w)[0], false))
	require.False(t, state().Enabled)
	require.Equal(t, "failed", b.deliveries(w)[0].Status)

	b.clock = b.clock.Add(31 * 24 * time.Hour)
	n, err := b.store.Trim(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, n)
}

func TestALongHistoryIsTrimmedInParts(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	w := b.create(New{URL: "https://receiver.example"})
	pgtest.Exec(t, b.pool, `INSERT INTO core_webhook_deliveries (id, webhook_id, event_id, name, body, status, created_at, completed_at)
		SELECT gen_random_uuid(), $1, gen_random_uuid()::text, 'moderation.report.created', '{}', 'delivered', now() - interval '40 days', now() - interval '40 days'
		FROM generate_series(1, 12000)`, w.ID)
	// A statement for all of them would exceed the timeout of statements each night, and delete nothing.
	pgtest.Exec(t, b.pool, `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS
		$$BEGIN IF (SELECT count(*) FROM gone) > 5000 THEN RAISE 'too many at once'; END IF; RETURN NULL; END$$`)
	pgtest.Exec(t, b.pool, `CREATE TRIGGER refuse_many AFTER DELETE ON core_webhook_deliveries
		REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`)
	n, err := b.store.Trim(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 12000, n)
}
