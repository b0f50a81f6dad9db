package live

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

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

// Given a viewer who is just renewing a presence that has expired, then another who looks does not
// wait for that.
func TestViewersDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	id, ann, ben := b.report("general"), uuid.NewString(), uuid.NewString()
	require.NoError(t, b.hub.Look(t.Context(), id, ann, "Ann"))
	b.exec(`UPDATE core_moderation_presence SET expires_at = now() - interval '1 second'`)
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `UPDATE core_moderation_presence SET expires_at = now() WHERE user_id = $1`, ann)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, b.hub.Look(ctx, id, ben, "Ben"))
}

func (b *bundle) changeStaff() {
	b.t.Helper()
	b.exec(`INSERT INTO core_staff_history (entry_id, kind, user_id, action) VALUES (gen_random_uuid(), 'moderator', gen_random_uuid(), 'updated')`)
}

// Given presence and staff that change without listeners, then neither is read, and the
// next client gets both.
func TestPresenceAndStaffAreNotReadWithoutListeners(t *testing.T) {
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

// Given a grant that is taken away, then nothing that happens afterwards is sent before
// the connection's owner has read the grants again.
func TestNothingIsSentAfterAGrantIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t, Config{})
	c, _ := b.subscribe(within("general"), "")
	witness, _ := b.subscribe(everything, "")
	b.changeStaff()
	b.report("general")
	pgtest.Eventually(t, func() bool { return b.hub.Seen("").staff > 0 }, "the change is seen")
	require.NoError(t, witness.Cover(everything, b.hub.Seen("")))
	b.next(witness)
	chunks, open := c.Take()
	require.True(t, open)
	require.Empty(t, chunks)

	require.NoError(t, c.Cover(within("support"), b.hub.Seen("")))
	chunks, _ = c.Take()
	require.Empty(t, chunks, "it is filtered by what is granted now")

	b.changeStaff()
	id := b.report("general")
	require.NoError(t, c.Cover(within("general"), Seen{staff: 1 << 62}))
	require.Contains(t, b.next(c).data, id, "what comes with a grant waits for it")
}
