package live

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

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
	pgtest.Eventually(t, func() bool { // connections are served in turn
		beat = parse(t, c.Heartbeat())
		_, missed := b.subscribe(everything, beat.id)
		return len(missed) == 0
	}, "the heartbeat has the position of what was published")
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

func TestIDsDoNotRevealPositions(t *testing.T) {
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

// A connection that is made between two reads gets every event once.
func TestResumingBetweenReadsMissesNothing(t *testing.T) {
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

// Given a client that comes from another server and has seen more than this one has
// read, then it gets nothing twice.
func TestAClientOfAServerThatIsAheadGetsNothingTwice(t *testing.T) {
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
