package mute_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/mute"
)

func TestEachMuteIsInTheSealedHistory(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	key := logtest.NewKey(t)
	store := mute.New(pool, time.Now, func(ctx context.Context, tx pgx.Tx) error { return proof.SealStaff(ctx, tx, key) })
	reporter, moderator := uuid.NewString(), uuid.NewString()
	for _, id := range []string{reporter, moderator} {
		_, err := pool.Exec(t.Context(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Somebody', now())`, id)
		require.NoError(t, err)
	}

	require.NoError(t, store.Mute(t.Context(), reporter, time.Now().Add(time.Hour), "Reports everything.", moderator))
	require.NoError(t, store.Mute(t.Context(), reporter, time.Now().Add(time.Minute), "A minute will do.", moderator))
	require.NoError(t, store.Unmute(t.Context(), reporter, moderator))
	require.NoError(t, store.Unmute(t.Context(), reporter, moderator), "there is nothing to end")
	require.ErrorIs(t, store.Mute(t.Context(), uuid.NewString(), time.Now().Add(time.Hour), "Nobody.", moderator), domain.NotFound())

	rows, err := pool.Query(t.Context(), `SELECT h.action FROM core_staff_history h JOIN core_staff_seals s USING (position)
		WHERE h.kind = 'mute' AND h.user_id = $1 AND h.actor_id = $2 ORDER BY h.position`, reporter, moderator)
	require.NoError(t, err)
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"created", "updated", "deleted"}, actions)
	found, err := store.Find(t.Context(), reporter)
	require.NoError(t, err)
	require.Nil(t, found.MutedUntil)
	require.Len(t, found.Mutes, 2)
}
