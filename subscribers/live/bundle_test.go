package live

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

type bundle struct {
	t    *testing.T
	pool *pgxpool.Pool
	hub  *Hub
	// taken is what came for a connection and was not asked for yet.
	taken map[*Connection][]parsed
}

func setup(t *testing.T, config Config) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pgtest.New(t), taken: map[*Connection][]parsed{}}
	config.Log = zerolog.New(zerolog.NewTestWriter(t))
	config.Poll, config.Watch = 2*time.Millisecond, 2*time.Millisecond
	b.hub = b.start(config)
	return b
}

// Config has what is not as in a server.
type Config struct {
	Log         zerolog.Logger
	Poll, Watch time.Duration
	Keep, Max   int
}

// start runs a hub, as of another server, and waits until it has read the log.
func (b *bundle) start(config Config) *Hub {
	b.t.Helper()
	hub := NewHub(b.pool, config.Log, nil)
	hub.poll, hub.watch = cmp.Or(config.Poll, hub.poll), cmp.Or(config.Watch, hub.watch)
	hub.keep, hub.max = cmp.Or(config.Keep, hub.keep), cmp.Or(config.Max, hub.max)
	platformtest.Run(b.t, hub.Run)
	pgtest.Eventually(b.t, func() bool {
		c, _, err := hub.Subscribe(b.t.Context(), Subscriber{Coverage: always(everything)})
		if err == nil {
			c.Close()
		}
		return err == nil
	}, "the feed can be subscribed to")
	return hub
}

var everything = permission.Coverage{All: true}

func within(category string) permission.Coverage {
	return (&permission.Entry{Grants: []permission.Grant{{
		Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{category}},
	}}}).Coverage(permission.ViewReports)
}

// report stores a report on a post of a category.
func (b *bundle) report(category string) (id string) {
	b.t.Helper()
	id = uuid.Must(uuid.NewV7()).String()
	b.exec(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
		VALUES ('forum', 'forum.post', $1, 'forum.category', $2)`, id, category)
	b.exec(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
			locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
		VALUES ($1, 'new', 1, 1, 'forum', 'forum.post', $2, 'posts', 'en', 'en', 'spam', '', '', '', now(), now())`, id, id)
	b.event(id, 1, 1, "created", `{}`)
	return id
}

func (b *bundle) event(report string, sequence, version int, eventType, payload string) {
	b.t.Helper()
	b.exec(`INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		VALUES ($1, $2, $3, $4, $5, $6, now(), '', '')`,
		uuid.Must(uuid.NewV7()), report, sequence, version, eventType, []byte(payload))
	sealer := eventstore.NewSealer(b.pool, zerolog.Nop(), func(int64) {})
	_, err := sealer.Seal(b.t.Context())
	require.NoError(b.t, err)
}

func (b *bundle) exec(sql string, args ...any) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, sql, args...)
}

func (b *bundle) subscribe(coverage permission.Coverage, lastID string) (*Connection, []parsed) {
	b.t.Helper()
	return b.subscribeTo(b.hub, coverage, lastID)
}

func always(c permission.Coverage) func(context.Context) (permission.Coverage, error) {
	return func(context.Context) (permission.Coverage, error) { return c, nil }
}

// subscribeTo subscribes and takes what there is at once.
func (b *bundle) subscribeTo(hub *Hub, coverage permission.Coverage, lastID string) (*Connection, []parsed) {
	b.t.Helper()
	c, first, err := hub.Subscribe(b.t.Context(), Subscriber{UserID: uuid.NewString(), Coverage: always(coverage), LastID: lastID})
	require.NoError(b.t, err)
	b.t.Cleanup(c.Close)
	chunks, _ := c.Take()
	if first != nil {
		chunks = append([][]byte{first}, chunks...)
	}
	return c, b.frames(chunks)
}

type parsed struct{ id, event, data string }

func parse(t *testing.T, b []byte) parsed {
	t.Helper()
	require.True(t, strings.HasSuffix(string(b), "\n\n"), "%q", b)
	var p parsed
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n\n"), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "id":
			p.id = value
		case "event":
			p.event = value
		case "data":
			p.data = value
		}
	}
	return p
}

// next waits for one frame.
func (b *bundle) next(c *Connection) parsed {
	b.t.Helper()
	for len(b.taken[c]) == 0 {
		select {
		case <-c.News():
			chunks, open := c.Take()
			b.taken[c] = append(b.taken[c], b.frames(chunks)...)
			require.True(b.t, open || len(chunks) > 0, "the connection has ended")
		case <-time.After(10 * time.Second):
			b.t.Fatal("no frame came")
		}
	}
	f := b.taken[c][0]
	b.taken[c] = b.taken[c][1:]
	return f
}

func (b *bundle) frames(chunks [][]byte) (frames []parsed) {
	b.t.Helper()
	for _, chunk := range chunks {
		for _, f := range strings.SplitAfter(string(chunk), "\n\n") {
			if f != "" {
				frames = append(frames, parse(b.t, []byte(f)))
			}
		}
	}
	return frames
}

// quiet tells that nothing waits for the connection.
func (b *bundle) quiet(c *Connection) bool {
	chunks, open := c.Take()
	return open && len(chunks) == 0 && len(b.taken[c]) == 0
}
