package live

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

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
		{"measure_imposed", `{"kind":"suspend"}`, "done", ann, 4},
		{"measure_pending", `{"kind":"suspend"}`, "done", ann, 4},
		{"measure_confirmed", `{"kind":"suspend"}`, "done", ann, 4},
		{"note_added", `{"noteId":"y"}`, "done", ann, 4},
		{"measure_ended", `{"kind":"suspend"}`, "done", ann, 5},
		{"measure_failed", `{"kind":"suspend"}`, "done", ann, 5},
		{"reopened", `{}`, "in_progress", ann, 6},
		{"assigned", `{"assigneeId":null}`, "new", "null", 7},
		{"assigned", `{"assigneeId":"` + bob + `"}`, "in_progress", bob, 8},
		{"account_removed", `{"userId":"` + ann + `"}`, "in_progress", bob, 8},
		{"account_removed", `{"userId":"` + bob + `"}`, "new", "null", 8},
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
	require.NoError(t, general.Cover(within("support"), b.hub.Seen("")))
	require.True(t, b.quiet(general))
	b.report("general")
	b.next(all)
	inSupport := b.report("support")
	require.Contains(t, b.next(general).data, inSupport)
}

// Events that arrive without listeners are read when one subscribes.
func TestTheHubIsIdleWithoutListeners(t *testing.T) {
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

func TestASlowClientIsDroppedAndDelaysNobody(t *testing.T) {
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

func TestAClientOfAStartingServerWaitsForTheFirstRead(t *testing.T) {
	t.Parallel()
	hub := NewHub(pgtest.New(t), zerolog.Nop(), nil)
	impatient, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, _, err := hub.Subscribe(impatient, Subscriber{Coverage: always(everything)})
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
	b := setup(t, Config{Max: 1})
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

// After idle time the first events are sent at once; then writes keep to their rate.
func TestAnIdleHubSendsOneBurst(t *testing.T) {
	t.Parallel()
	const all = 2000
	h, now := &Hub{}, time.Now()
	turn := func() time.Duration {
		start := now
		for range all / servedAtOnce {
			now = now.Add(h.pause(servedAtOnce, all, now))
		}
		return now.Sub(start)
	}
	const fair = all * (time.Second / sustainedRate)
	first, second, third := turn(), turn(), turn()
	require.Equal(t, all*(time.Second/burstRate), first)
	require.Equal(t, fair, first+second, "the next turn makes up for the burst")
	require.Equal(t, fair, third)
	now = now.Add(time.Hour)
	require.Equal(t, first, turn(), "an hour saves no more than a turn")

	few := &Hub{}
	require.Less(t, few.pause(1, 1, now), time.Millisecond)
	many := &Hub{}
	var took time.Duration
	for range 10_000 / servedAtOnce {
		took += many.pause(servedAtOnce, 10_000, now.Add(took))
	}
	require.Less(t, took, maxTurn+time.Millisecond)
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
