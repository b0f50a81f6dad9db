package mute_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/platform/staff"
)

func TestEachMuteIsInTheLedger(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	key := logtest.NewKey(t)
	entries := staff.New(pool, staff.Config{Catalog: permission.NewCatalog(nil, nil), Scopes: registry.NewScopes(), Signer: key})
	log := ledger.Ledger{Signer: key, Now: time.Now}
	require.NoError(t, log.Begin(t.Context(), pool, mute.Ledger))
	store := mute.New(pool, log, entries)
	reporter, moderator := uuid.NewString(), &permission.Caller{UserID: uuid.NewString(), Moderator: &permission.Entry{Unrestricted: true}}
	for _, id := range []string{reporter, moderator.UserID} {
		pgtest.Exec(t, pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'Somebody', now())`, id)
	}

	require.NoError(t, store.Mute(t.Context(), moderator, reporter, time.Now().Add(time.Hour), "Reports everything."))
	require.NoError(t, store.Mute(t.Context(), moderator, reporter, time.Now().Add(time.Minute), "A minute will do."))
	require.NoError(t, store.Unmute(t.Context(), moderator, reporter))
	require.NoError(t, store.Unmute(t.Context(), moderator, reporter), "there is nothing to end")
	require.ErrorIs(t, store.Mute(t.Context(), moderator, uuid.NewString(), time.Now().Add(time.Hour), "Nobody."), domain.NotFound())

	actions := pgtest.All[string](t, pool, `SELECT action FROM core_ledger WHERE kind = 'mute' AND actor_id = $1 ORDER BY position`, moderator.UserID)
	require.Equal(t, []string{"created", "updated", "created", "updated"}, actions)
	found, err := store.Find(t.Context(), reporter)
	require.NoError(t, err)
	require.Nil(t, found.MutedUntil)
	require.Len(t, found.Mutes, 2)

	// What is changed by hand is named, and no account that goes is a change by hand.
	audit := func() []string { return logtest.Audit(t, pool, key, mute.Ledger) }
	require.Empty(t, audit())
	for _, change := range []string{`until = until + interval '1 day'`, `reason = 'Another.'`, `user_id = muted_by`, `muted_by = user_id`, `muted_by = NULL`, `muted_at = now()`,
		`ended_at = NULL`, `ended_by = NULL`, `reach = '{}'`} {
		tx := pgtest.Begin(t, pool)
		pgtest.Exec(t, tx, `CREATE TABLE was AS SELECT * FROM core_mutes; UPDATE core_mutes SET `+change)
		require.NoError(t, tx.Commit(t.Context()))
		require.Len(t, audit(), 2, change)
		pgtest.Exec(t, pool, `DELETE FROM core_mutes; INSERT INTO core_mutes SELECT * FROM was; DROP TABLE was`)
		require.Empty(t, audit(), change)
	}
	pgtest.Exec(t, pool, `DELETE FROM core_users WHERE id = $1`, moderator.UserID)
	require.Empty(t, audit())
	pgtest.Exec(t, pool, `DELETE FROM core_mutes`)
	require.Len(t, audit(), 2)
}
