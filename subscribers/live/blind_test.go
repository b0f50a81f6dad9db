package live

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// A feed tells nobody of the reports of what they decide again.
func TestAFeedLeavesOutWhatItsReceiverIsBlindFor(t *testing.T) {
	t.Parallel()
	about := subject{plugin: "forum", module: "posts", kind: "forum.post", target: "1"}
	all := permission.Coverage{All: true}
	require.True(t, about.coveredBy(all))
	all.Blind = &permission.Blind{PluginID: "forum", TargetType: "forum.post", TargetID: "1"}
	require.False(t, about.coveredBy(all))
	about.target = "2"
	require.True(t, about.coveredBy(all))
}

// Given an open feed of somebody who is given a decision to decide again, then nothing that happens afterwards is sent
// before the feed's owner has read what they are blind for, and the feeds of others go on.
func TestNothingIsSentAfterATurnBegins(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	user := uuid.NewString()
	b.exec(`INSERT INTO core_users (id, email, name, created_at) VALUES ($1, 'ann@example.test', 'Ann', now())`, user)
	c, _, err := b.hub.Subscribe(t.Context(), Subscriber{UserID: user, Coverage: always(everything)})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	witness, _ := b.subscribe(everything, "")
	about := b.report("general") // whose target has its id
	require.Contains(t, b.next(c).data, about)
	require.Contains(t, b.next(witness).data, about)

	changed := b.hub.StaffChanged()
	b.exec(`INSERT INTO core_second_turns (second_id, user_id, decision_id, golden, report_id, plugin_id, target_type, target_id, until)
		VALUES (gen_random_uuid(), $1, gen_random_uuid(), false, $2, 'forum', 'forum.post', $3, now() + interval '30 minutes')`, user, about, about)
	b.event(about, 2, 1, "note_added", `{}`)
	require.Contains(t, b.next(witness).data, about)
	require.False(t, witness.Changed())
	chunks, open := c.Take()
	require.True(t, open)
	require.Empty(t, chunks)
	<-changed
	require.True(t, c.Changed())

	blind := everything
	blind.Blind = &permission.Blind{PluginID: "forum", TargetType: "forum.post", TargetID: about}
	require.NoError(t, c.Cover(blind, b.hub.Seen(user)))
	other := b.report("general")
	require.Contains(t, b.next(c).data, other, "the feed goes on with what its receiver may see")

	b.exec(`UPDATE core_second_turns SET ended = true`)
	pgtest.Eventually(t, c.Changed, "the end is seen")

	// A grant that is taken away at the same time counts before that is read.
	b.changeStaff()
	pgtest.Eventually(t, func() bool { return b.hub.Seen(user).staff > 0 }, "the change of staff is seen")
	b.report("general")
	pgtest.Eventually(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return len(c.waiting) > 0 }, "something waits")
	chunks, _ = c.Take()
	require.Empty(t, chunks)
}
