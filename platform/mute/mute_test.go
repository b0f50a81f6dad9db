package mute_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/platform/staff"
)

func TestEachMuteIsInTheSealedHistory(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	catalog, err := permission.NewCatalog(nil, nil)
	require.NoError(t, err)
	scopes, err := scope.NewRegistry()
	require.NoError(t, err)
	entries, err := staff.New(pool, staff.Config{Catalog: catalog, Scopes: scopes, Signer: logtest.NewKey(t)})
	require.NoError(t, err)
	store := mute.New(pool, time.Now, entries)
	reporter, moderator := uuid.NewString(), &permission.Caller{UserID: uuid.NewString(), Moderator: &permission.Entry{Unrestricted: true}}
	for _, id := range []string{reporter, moderator.UserID} {
		_, err := pool.Exec(t.Context(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Somebody', now())`, id)
		require.NoError(t, err)
	}

	require.NoError(t, store.Mute(t.Context(), moderator, reporter, time.Now().Add(time.Hour), "Reports everything."))
	require.NoError(t, store.Mute(t.Context(), moderator, reporter, time.Now().Add(time.Minute), "A minute will do."))
	require.NoError(t, store.Unmute(t.Context(), moderator, reporter))
	require.NoError(t, store.Unmute(t.Context(), moderator, reporter), "there is nothing to end")
	require.ErrorIs(t, store.Mute(t.Context(), moderator, uuid.NewString(), time.Now().Add(time.Hour), "Nobody."), domain.NotFound())

	rows, err := pool.Query(t.Context(), `SELECT h.action FROM core_staff_history h JOIN core_staff_seals s USING (position)
		WHERE h.kind = 'mute' AND h.user_id = $1 AND h.actor_id = $2 ORDER BY h.position`, reporter, moderator.UserID)
	require.NoError(t, err)
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"created", "deleted", "created", "deleted"}, actions)
	found, err := store.Find(t.Context(), reporter)
	require.NoError(t, err)
	require.Nil(t, found.MutedUntil)
	require.Len(t, found.Mutes, 2)
}
