package live

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
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

// start runs a hub, as of another server, and waits until it has read the log.
func (b *bundle) start(config Config) *Hub {
	b.t.Helper()
	hub, err := NewHub(b.pool, config)
	require.NoError(b.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		hub.Run(ctx)
	}()
	b.t.Cleanup(func() { cancel(); <-done })
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
	_, err := b.pool.Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
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

func TestFramesTellEachChangeAsItStood(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, _ := b.subscribe(everything, "")
	const ann, bob = "0197a0b0-0000-7000-8000-00000000000a", "0197a0b0-0000-7000-8000-00000000000b"
	id := b.report("general")
	steps := []struct {
		eventType, payload, status string
		assignee                   string
		version                    int
	}{
		{"created", "", "new", "null", 1},
		{"note_added", `{"noteId":"x"}`, "new", "null", 1},
		{"assigned", `{"assigneeId":"` + ann + `"}`, "in_progress", ann, 2},
		{"action", `{"action":"hide"}`, "in_progress", ann, 3},
		{"resolved", `{}`, "done", ann, 4},
		{"note_added", `{"noteId":"y"}`, "done", ann, 4},
		{"reopened", `{}`, "in_progress", ann, 5},
		{"assigned", `{"assigneeId":null}`, "new", "null", 6},
		{"assigned", `{"assigneeId":"` + bob + `"}`, "in_progress", bob, 7},
		{"account_removed", `{"userId":"` + ann + `"}`, "in_progress", bob, 7},
		{"account_removed", `{"userId":"` + bob + `"}`, "new", "null", 7},
	}
	for i, s := range steps[1:] {
		b.event(id, i+2, s.version, s.eventType, s.payload)
	}
	for i, s := range steps {
		f := b.next(c)
		require.Equal(t, s.eventType, f.event)
		assignee := `"` + s.assignee + `"`
		if s.assignee == "null" {
			assignee = "null"
		}
		require.JSONEq(t, fmt.Sprintf(`{"reportId":%q,"sequence":%d,"version":%d,"status":%q,"assigneeId":%s}`,
			id, i+1, s.version, s.status, assignee), f.data)
	}
}

func TestAConnectionSeesWhatItsCoverageCovers(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	general, _ := b.subscribe(within("general"), "")
	all, _ := b.subscribe(everything, "")
	b.report("support")
	inGeneral := b.report("general")
	b.next(all)
	b.next(all)
	require.Contains(t, b.next(general).data, inGeneral, "what is elsewhere is passed over")

	t.Log("when its permissions shrink, what waits is held back too")
	b.report("general")
	b.next(all)
	<-general.News()
	require.NoError(t, general.Cover(within("support"), b.hub.Staff()))
	require.True(t, b.quiet(general))
	b.report("general")
	b.next(all)
	inSupport := b.report("support")
	require.Contains(t, b.next(general).data, inSupport)
}

func TestResume(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Keep: 3})
	c, first := b.subscribe(within("general"), "")
	start := first[0].id
	one := b.report("general")
	b.report("support")
	two := b.report("general")
	firstID := b.next(c).id
	b.next(c)

	t.Log("from an id of a frame, from one of the beginning, and from one of another server")
	for id, want := range map[string][]string{firstID: {two}, start: {one, two}} {
		_, missed := b.subscribe(within("general"), id)
		require.Len(t, missed, len(want))
		for i, report := range want {
			require.Contains(t, missed[i].data, report)
		}
	}
	other := b.start(Config{Keep: 3})
	_, rest := b.subscribeTo(other, everything, firstID)
	require.Len(t, rest, 2)

	t.Log("a heartbeat's id stands for what was not seen either")
	all, _ := b.subscribe(everything, "")
	b.report("support")
	b.next(all)
	beat := parse(t, c.Heartbeat())
	require.Empty(t, beat.event)
	_, missed := b.subscribe(everything, beat.id)
	require.Empty(t, missed)
	require.NotEqual(t, beat.id, parse(t, c.Heartbeat()).id, "heartbeats do not tell whether anything happened")

	t.Log("too old, or not ours: one reset, from which to go on")
	for _, id := range []string{start, "nonsense", strings.Repeat("A", 22), firstID[:21] + "!"} {
		_, frames := b.subscribe(everything, id)
		require.Len(t, frames, 1)
		require.Equal(t, []string{"reset", "{}"}, []string{frames[0].event, frames[0].data})
		_, again := b.subscribe(everything, frames[0].id)
		require.Empty(t, again)
	}
}

// What nobody listened to is read when somebody comes back to it.
func TestTheHubRestsWhileNobodyListens(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{Keep: 3})
	c, _ := b.subscribe(everything, "")
	b.report("general")
	last := b.next(c).id
	c.Close()
	missed := []string{b.report("general"), b.report("support")}
	waiting, wanted := b.hub.wanted()
	require.Empty(t, waiting)
	require.False(t, wanted)

	back, frames := b.subscribe(everything, last)
	require.Len(t, frames, len(missed))
	for i, id := range missed {
		require.Contains(t, frames[i].data, id)
	}
	now := b.report("general")
	require.Contains(t, b.next(back).data, now, "and it goes on from there")

	t.Log("more than is kept")
	back.Close()
	for range 4 {
		b.report("general")
	}
	_, frames = b.subscribe(everything, last)
	require.Len(t, frames, 1)
	require.Equal(t, "reset", frames[0].event)
}

func TestIDsDoNotTellPositions(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	seen := map[string]bool{}
	for position := range int64(1000) {
		id := b.hub.cursors.encode(position, 0)
		require.Len(t, id, 22)
		require.False(t, seen[id])
		seen[id] = true
		back, ok := b.hub.cursors.decode(id)
		require.True(t, ok)
		require.Equal(t, position, back)
	}
}

func TestASlowClientIsDroppedAndHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	slow, _ := b.subscribe(everything, "")
	quick, _ := b.subscribe(everything, "")
	id := b.report("general")
	b.next(quick)
	sent, sequence := 0, 1
	for ended := false; !ended; {
		sequence++
		b.event(id, sequence, 1, "note_added", `{}`)
		sent += len(b.next(quick).data)
		require.Less(t, sent, 2*maxBehind, "the slow one was not dropped")
		slow.mu.Lock()
		ended = slow.ended
		slow.mu.Unlock()
	}
	<-slow.News()
	_, open := slow.Take()
	require.False(t, open)
	require.NotContains(t, string(quick.Heartbeat()), "event")
}

// Whenever a connection comes between the turns, it is told of everything once.
func TestTurnsAndResumesFitTogether(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	_, first := b.subscribe(everything, "")
	start := first[0].id
	var all []*Connection
	var ids []string
	for i := range 40 {
		c, missed := b.subscribe(everything, start)
		all = append(all, c)
		b.taken[c] = missed
		if i%2 == 0 {
			ids = append(ids, b.report("general"))
		}
	}
	ids = append(ids, b.report("general"))
	for _, c := range all {
		for _, id := range ids {
			require.Contains(t, b.next(c).data, id)
		}
	}
}

func TestPresenceComesAndGoes(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, _ := b.subscribe(within("general"), "")
	stranger, _ := b.subscribe(within("support"), "")
	id := b.report("general")
	require.Equal(t, "created", b.next(c).event)
	ann := uuid.NewString()
	require.NoError(t, b.hub.Look(t.Context(), id, ann, "Ann"))
	want := fmt.Sprintf(`{"reportId":%q,"viewers":[{"id":%q,"name":"Ann"}]}`, id, ann)
	f := b.next(c)
	require.Equal(t, []string{"presence", ""}, []string{f.event, f.id})
	require.JSONEq(t, want, f.data)
	require.NoError(t, b.hub.Look(t.Context(), id, ann, "Ann"))

	t.Log("a new connection is told who is there")
	_, first := b.subscribe(within("general"), "")
	require.JSONEq(t, want, first[1].data)

	t.Log("who does not look again goes")
	b.exec(`UPDATE core_moderation_presence SET expires_at = now()`)
	require.JSONEq(t, fmt.Sprintf(`{"reportId":%q,"viewers":[]}`, id), b.next(c).data)
	require.True(t, b.quiet(stranger))
}

func TestAChangeOfStaffIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	b.subscribe(everything, "")
	changed := b.hub.StaffChanged()
	b.changeStaff()
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody was told")
	}
}

func (b *bundle) changeStaff() {
	b.t.Helper()
	b.exec(`INSERT INTO core_staff_history (entry_id, kind, user_id, action) VALUES (gen_random_uuid(), 'moderator', gen_random_uuid(), 'updated')`)
}

// Given presence and staff that change while nobody listens, then nobody asks for
// either, and who comes next is told of both.
func TestPresenceAndStaffRestWhileNobodyListens(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, _ := b.subscribe(everything, "")
	id := b.report("general")
	b.next(c)
	c.Close()
	require.NoError(t, b.hub.catchUp(t.Context(), "")) // what was on its way has been asked
	changed := b.hub.StaffChanged()
	b.changeStaff()
	ann := uuid.NewString()
	require.NoError(t, b.hub.Look(t.Context(), id, ann, "Ann"))
	b.hub.watchIfListening(t.Context())
	select {
	case <-changed:
		t.Fatal("staff were looked at")
	default:
	}

	_, first := b.subscribe(everything, "")
	require.Len(t, first, 2)
	require.JSONEq(t, fmt.Sprintf(`{"reportId":%q,"viewers":[{"id":%q,"name":"Ann"}]}`, id, ann), first[1].data)
	<-changed
}

func TestWhoComesWhileAServerStartsWaitsForTheFirstLook(t *testing.T) {
	t.Parallel()
	hub, err := NewHub(pgtest.New(t), Config{Log: zerolog.Nop()})
	require.NoError(t, err)
	impatient, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, _, err = hub.Subscribe(impatient, Subscriber{Coverage: always(everything)})
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeUnavailable})

	subscribed := make(chan error, 1)
	subscribe := func() {
		_, _, err := hub.Subscribe(t.Context(), Subscriber{Coverage: always(everything)})
		subscribed <- err
	}
	go subscribe()
	ended := make(chan struct{})
	go func() { hub.Run(t.Context()); close(ended) }()
	require.NoError(t, <-subscribed)
	hub.Stop()
	<-ended
	go subscribe()
	require.ErrorIs(t, <-subscribed, &domain.Error{Code: domain.CodeUnavailable}, "nobody waits for a server that stops")
}

func TestBoundsAndEnd(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{MaxConnections: 1})
	c, _ := b.subscribe(everything, "")
	_, _, err := b.hub.Subscribe(t.Context(), Subscriber{Coverage: always(everything)})
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeUnavailable})
	b.hub.Stop()
	b.hub.Stop()
	<-c.News()
	_, open := c.Take()
	require.False(t, open, "the hub ends its connections")
	c.Close()
	_, _, err = b.hub.Subscribe(t.Context(), Subscriber{Coverage: always(everything)})
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeUnavailable})
}

// After a silence everybody is told swiftly; then the writes keep to their rate.
func TestWhatASilenceSavedIsSpentOnce(t *testing.T) {
	t.Parallel()
	const all = 2000
	h, now := &Hub{}, time.Now()
	turn := func() time.Duration {
		start := now
		for range all / stride {
			now = now.Add(h.pause(stride, all, now))
		}
		return now.Sub(start)
	}
	const fair = all * (time.Second / sustained)
	first, second, third := turn(), turn(), turn()
	require.Equal(t, all*(time.Second/swift), first)
	require.Equal(t, fair, first+second, "the swift turn is paid for in the next")
	require.Equal(t, fair, third)
	now = now.Add(time.Hour)
	require.Equal(t, first, turn(), "an hour saves no more than a turn")

	few := &Hub{}
	require.Less(t, few.pause(1, 1, now), time.Millisecond)
	many := &Hub{}
	var took time.Duration
	for range 10_000 / stride {
		took += many.pause(stride, 10_000, now.Add(took))
	}
	require.Less(t, took, longest+time.Millisecond)
}

// Given a client that comes from another server and has seen more than this one has
// read, then it hears nothing again.
func TestWhoComesFromAServerThatIsAheadHearsNothingAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	ahead, _ := b.subscribe(everything, "")
	behind := b.start(Config{Log: zerolog.New(zerolog.NewTestWriter(t)), Poll: time.Hour, Watch: time.Hour})
	there, _, err := behind.Subscribe(t.Context(), Subscriber{Coverage: always(everything)})
	require.NoError(t, err)
	b.report("general")
	seen := b.next(ahead)

	comes, missed := b.subscribeTo(behind, everything, seen.id)
	require.Empty(t, missed)
	require.Equal(t, seen, b.next(there), "it is read for who comes")
	chunks, _ := comes.Take()
	require.Empty(t, chunks)
}

// Given a client that was away while a target moved out of its scope, then it resumes
// without what happened to that target, and with what moved into its scope.
func TestAClientResumesByThePresentScope(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, first := b.subscribe(within("general"), "")
	left, came := b.report("general"), b.report("support")
	b.next(c)
	c.Close()
	b.exec(`UPDATE core_moderation_targets SET scope_id = 'support' WHERE target_id = $1`, left)
	b.exec(`UPDATE core_moderation_targets SET scope_id = 'general' WHERE target_id = $1`, came)

	_, missed := b.subscribe(within("general"), first[0].id)
	require.Len(t, missed, 1)
	require.Contains(t, missed[0].data, came)
}

// Given a grant that is taken away, then nothing that happens afterwards is sent before
// the connection's owner has read the grants again.
func TestNothingIsSentAfterAGrantIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, _ := b.subscribe(within("general"), "")
	witness, _ := b.subscribe(everything, "")
	b.changeStaff()
	b.report("general")
	pgtest.Eventually(t, func() bool { return b.hub.Staff() > 0 }, "the change is seen")
	require.NoError(t, witness.Cover(everything, b.hub.Staff()))
	b.next(witness)
	chunks, open := c.Take()
	require.True(t, open)
	require.Empty(t, chunks)

	require.NoError(t, c.Cover(within("support"), b.hub.Staff()))
	chunks, _ = c.Take()
	require.Empty(t, chunks, "it is filtered by what is granted now")

	b.changeStaff()
	id := b.report("general")
	require.NoError(t, c.Cover(within("general"), 1<<62))
	require.Contains(t, b.next(c).data, id, "what comes with a grant waits for it")
}

func TestAnAccountHoldsAFewFeeds(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	subscribe := func(user string) (*Connection, error) {
		c, _, err := b.hub.Subscribe(t.Context(), Subscriber{UserID: user, Coverage: always(everything)})
		return c, err
	}
	var last *Connection
	for range 20 {
		var err error
		last, err = subscribe("ann")
		require.NoError(t, err)
	}
	_, err := subscribe("ann")
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeRateLimited})
	_, err = subscribe("bob")
	require.NoError(t, err)
	last.Close()
	last.Close()
	_, err = subscribe("ann")
	require.NoError(t, err)
	_, err = subscribe("ann")
	require.Error(t, err)
}
