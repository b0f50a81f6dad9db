package http_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/subscribers/webhook"
)

// eventsBundle is the bundle with everything running that brings events out.
type eventsBundle struct {
	*bundle
	stop func() // ends what runs
}

func newEventsBundle(t *testing.T, others ...cmd.Source) *eventsBundle {
	t.Helper()
	b := newBundleWith(t, map[string]string{"DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}, others...)
	return &eventsBundle{b, b.run()}
}

// stream opens the live feed and gives its frames as they come.
func (b *eventsBundle) stream(c *client, lastID string) <-chan map[string]string {
	b.t.Helper()
	return b.streamFrom(b.t.Context(), c, "", lastID)
}

func (b *eventsBundle) streamFrom(ctx context.Context, c *client, query, lastID string) <-chan map[string]string {
	b.t.Helper()
	r, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodGet, b.server.URL+http.Base+"/moderation/live"+query, nil)
	require.NoError(b.t, err)
	r.Header = c.header.Clone()
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	var resp *nethttp.Response
	pgtest.Eventually(b.t, func() bool {
		resp, err = b.server.Client().Do(r)
		if err == nil && resp.StatusCode != nethttp.StatusOK {
			_ = resp.Body.Close()
		}
		return err == nil && resp.StatusCode == nethttp.StatusOK
	}, "the feed is open")
	b.t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(b.t, "text/event-stream; charset=utf-8", resp.Header.Get("Content-Type"))
	require.Equal(b.t, "no-store", resp.Header.Get("Cache-Control"))
	require.NotEmpty(b.t, resp.Header.Get("X-Request-Id"))
	frames := make(chan map[string]string, 100)
	go func() {
		defer close(frames)
		lines := bufio.NewScanner(resp.Body)
		frame := map[string]string{}
		for lines.Scan() {
			if lines.Text() == "" {
				frames <- frame
				frame = map[string]string{}
				continue
			}
			name, value, _ := strings.Cut(lines.Text(), ": ")
			frame[name] = value
		}
	}()
	return frames
}

func next(t *testing.T, frames <-chan map[string]string) map[string]string {
	t.Helper()
	select {
	case f, ok := <-frames:
		require.True(t, ok, "the stream has ended")
		return f
	case <-time.After(time.Minute):
		t.Fatal("no frame came")
		return nil
	}
}

// A feed on which nothing happens is kept open: proxies end a connection that is silent for 30 seconds or longer. It is
// the one test that waits for as long as a heartbeat takes.
func TestAQuietFeedHasAHeartbeat(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	feed := b.stream(b.moderator("Ann", nil, everyPermission...), "")
	first := next(t, feed)
	opened := time.Now()
	for range 2 {
		beat := next(t, feed)
		require.Equal(t, "heartbeat", beat[""])
		require.NotEmpty(t, beat["id"])
		require.NotEqual(t, first["id"], beat["id"])
	}
	require.Less(t, time.Since(opened), 45*time.Second)
}

func TestTheLiveFeed(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	all, scoped := b.moderator("Ann", nil, everyPermission...), b.moderator("Sam", []string{"general"}, everyPermission...)

	wide, narrow := b.stream(all, ""), b.stream(scoped, "")
	require.NotEmpty(t, next(t, wide)["id"])
	next(t, narrow)
	inGeneral, elsewhere := b.posts()
	hidden := b.file(0, elsewhere)
	require.Contains(t, next(t, wide)["data"], hidden)
	id := b.file(1, inGeneral)
	created := next(t, wide)
	require.Equal(t, "created", created["event"])
	require.Contains(t, next(t, narrow)["data"], id, "what is outside the scope is passed over")
	all.post("/moderation/reports/"+id+"/claim", at(1)).status(nethttp.StatusOK)
	claimed := next(t, narrow)
	require.Equal(t, "assigned", claimed["event"])
	require.Contains(t, claimed["data"], `"version":2,"status":"in_progress"`)

	t.Log("it resumes, and resets")
	require.Contains(t, next(t, b.stream(scoped, created["id"]))["data"], `"version":2`)
	require.Equal(t, "reset", next(t, b.stream(scoped, "nonsense"))["event"])
	require.Contains(t, next(t, b.streamFrom(t.Context(), scoped, "?lastEventId="+created["id"], ""))["data"], `"version":2`)
	require.Equal(t, "reset", next(t, b.streamFrom(t.Context(), scoped, "?lastEventId="+created["id"], "nonsense"))["event"], "the header wins")

	t.Log("presence rides on it")
	next(t, wide)
	scoped.post("/moderation/reports/"+hidden+"/presence", nil).fault(nethttp.StatusNotFound, "not_found")
	scoped.post("/moderation/reports/"+id+"/presence", nil).status(nethttp.StatusNoContent)
	present := next(t, wide)
	require.Equal(t, "presence", present["event"])
	require.Contains(t, present["data"], `"name":"Sam"`)
	next(t, narrow)

	t.Log("permissions that are taken end it")
	pgtest.Exec(t, b.pool, `DELETE FROM core_staff_entries WHERE user_id = (SELECT id FROM core_users WHERE name = 'Sam')`)
	for frame := range narrow {
		require.NotContains(t, frame, "event")
	}
}

func TestAFeedEndsWithItsClientOrItsServer(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	ann := b.moderator("Ann", nil, everyPermission...)
	open := func() (n int) {
		_, found, _ := strings.Cut(b.metrics(), "\ndocket_live_connections ")
		_, err := fmt.Sscan(found, &n)
		require.NoError(t, err)
		return n
	}
	ctx, leave := context.WithCancel(t.Context())
	left, stays := b.streamFrom(ctx, ann, "", ""), b.stream(ann, "")
	next(t, left)
	next(t, stays)
	require.Equal(t, 2, open())
	leave()
	pgtest.Eventually(t, func() bool { return open() == 1 }, "one feed is open")
	b.stop()
	_, more := <-stays
	require.False(t, more)
	pgtest.Eventually(t, func() bool { return open() == 0 }, "the feed is closed")
}

// posts gives a post of the category general and one of another.
func (b *eventsBundle) posts() (general, other string) {
	b.t.Helper()
	for category, into := range map[string]*string{"=": &general, "<>": &other} {
		require.NoError(b.t, b.pool.QueryRow(b.t.Context(), `SELECT id::text FROM forum_posts
			WHERE category_id `+category+` 'general' AND status = 'published' AND hidden_at IS NULL ORDER BY id LIMIT 1`).Scan(into))
	}
	return general, other
}

func TestWebhooksOverHTTP(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	root := b.admin("Root")
	got := make(chan string, 10)
	receiver := httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	t.Cleanup(receiver.Close)

	faulty := root.post("/admin/webhooks", map[string]any{"url": 1, "events": []any{"x", 2}, "scope": map[string]any{"family": "f"}, "more": true})
	faulty.fault(nethttp.StatusBadRequest, "validation_failed")
	unknown := root.post("/admin/webhooks", map[string]any{"url": receiver.URL, "pluginId": "nope", "scope": map[string]any{"family": "forum.nope", "mode": "all"}})
	require.Equal(t, map[string]string{"pluginId": "unknown_plugin", "scope.family": "unknown_family"}, unknown.fault(nethttp.StatusBadRequest, "validation_failed").issues())
	made := root.post("/admin/webhooks", map[string]any{"url": receiver.URL, "events": []any{event.ReportCreated},
		"scope": map[string]any{"family": "forum.category", "mode": "selected", "ids": []string{"general"}}}).status(nethttp.StatusCreated)
	require.True(t, strings.HasPrefix(made.body["secret"].(string), "whsec_"))
	path := "/admin/webhooks/" + made.body["id"].(string)
	require.NotContains(t, root.get(path).status(nethttp.StatusOK).body, "secret")
	require.Len(t, root.get("/admin/webhooks").status(nethttp.StatusOK).edges(), 1)

	general, other := b.posts()
	b.file(0, other)
	id := b.file(1, general)
	require.Contains(t, <-got, id)
	root.post(path+"/ping", nil).status(nethttp.StatusAccepted)
	require.Contains(t, <-got, webhook.Ping)
	var deliveries []map[string]any
	pgtest.Eventually(t, func() bool {
		deliveries = root.get(path + "/deliveries").status(nethttp.StatusOK).edges()
		return len(deliveries) == 2 && deliveries[0]["status"] == "delivered" && deliveries[1]["status"] == "delivered"
	}, "both deliveries are made")
	root.post(path+"/deliveries/"+deliveries[1]["id"].(string)+"/redeliver", nil).status(nethttp.StatusAccepted)
	require.Contains(t, <-got, id)

	off := root.do(nethttp.MethodPatch, path, "application/json", []byte(`{"enabled":false}`)).status(nethttp.StatusOK)
	require.Equal(t, false, off.body["enabled"])
	root.do(nethttp.MethodDelete, path, "", nil).status(nethttp.StatusNoContent)
	for _, gone := range []*answer{root.get(path), root.get(path + "/deliveries"), root.post(path+"/ping", nil), root.get("/admin/webhooks/x")} {
		gone.fault(nethttp.StatusNotFound, "not_found")
	}
}

func TestPoisonOverHTTP(t *testing.T) {
	t.Parallel()
	mended := make(chan struct{})
	listener := event.Listener{Group: "fails", Handle: func(context.Context, pgx.Tx, event.Event) error {
		select {
		case <-mended:
			return nil
		default:
			return context.Canceled // a listener's own error, whatever its kind
		}
	}}
	b := newEventsBundle(t, func(context.Context, cmd.Host) (*cmd.Plugin, error) {
		return &cmd.Plugin{Plugin: plugin.Plugin{ID: "faulty", Listeners: []event.Listener{listener}}}, nil
	})
	root := b.admin("Root")
	general, _ := b.posts()
	b.file(0, general)
	var listed []map[string]any
	pgtest.Eventually(t, func() bool {
		listed = root.get("/admin/advanced/poison?group=fails").status(nethttp.StatusOK).edges()
		return len(listed) == 1
	}, "the event is set aside")
	path := "/admin/advanced/poison/" + listed[0]["id"].(string) + "/replay"
	root.post(path, nil).fault(nethttp.StatusUnprocessableEntity, "action_failed")
	close(mended)
	root.post(path, nil).status(nethttp.StatusNoContent)
	root.post(path, nil).fault(nethttp.StatusNotFound, "not_found")
	require.Empty(t, root.get("/admin/advanced/poison").status(nethttp.StatusOK).edges())
}

func TestReportersHearTheOutcome(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	moderator := b.moderator("Ann", nil, everyPermission...)
	general, other := b.posts()
	shared, kept := b.file(0, general), b.file(0, other)
	moderator.post("/moderation/reports/"+shared+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "explanation": "Gone now.", "share": true}).status(nethttp.StatusOK)
	moderator.post("/moderation/reports/"+kept+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation", "explanation": "Between us."}).status(nethttp.StatusOK)
	member := b.member(0)
	var notices []map[string]any
	pgtest.Eventually(t, func() bool {
		notices = member.get("/users/notices").status(nethttp.StatusOK).edges()
		return len(notices) == 2
	}, "both notices are there")
	require.Equal(t, []any{kept, "no_violation", nil, nil}, []any{notices[0]["reportId"], notices[0]["resolution"], notices[0]["explanation"], notices[0]["readAt"]})
	require.Equal(t, []any{shared, "action_taken", "Gone now."}, []any{notices[1]["reportId"], notices[1]["resolution"], notices[1]["explanation"]})

	read := "/users/notices/" + notices[0]["id"].(string) + "/read"
	b.member(1).post(read, nil).fault(nethttp.StatusNotFound, "not_found")
	for range 2 {
		member.post(read, nil).status(nethttp.StatusNoContent)
	}
	require.Len(t, member.get("/users/notices?unread=true").status(nethttp.StatusOK).edges(), 1)
	member.get("/users/notices?unread=x").fault(nethttp.StatusBadRequest, "validation_failed")
	for _, notice := range b.member(1).get("/users/notices").status(nethttp.StatusOK).edges() {
		require.Equal(t, "decision", notice["kind"], "to the author of the content, and to nobody as a reporter")
	}
}
