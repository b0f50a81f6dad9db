package projector_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
)

// Given a rebuild that takes longer than connections wait for locks, when another begins,
// then it waits, and waits no longer than ever for other locks.
func TestALockIsWaitedForHoweverLongItTakes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	first := pgtest.Begin(t, pool)
	require.NoError(t, projector.Lock(t.Context(), first, "counts"))

	var shown string
	second := make(chan error, 1)
	go func() {
		second <- func() error {
			impatient, err := postgres.Open(t.Context(), pool.Config().ConnString(), postgres.Options{LockTimeout: 10 * time.Millisecond})
			if err != nil {
				return err
			}
			defer impatient.Close()
			return pgx.BeginFunc(t.Context(), impatient, func(tx pgx.Tx) error {
				if err := projector.Lock(t.Context(), tx, "counts"); err != nil {
					return err
				}
				return tx.QueryRow(t.Context(), `SHOW lock_timeout`).Scan(&shown)
			})
		}()
	}()
	pgtest.Eventually(t, func() bool {
		return pgtest.One[bool](t, pool, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`)
	}, "the second waits")
	pgtest.Exec(t, pool, `SELECT pg_sleep(0.1)`)
	require.NoError(t, first.Commit(t.Context()))
	require.NoError(t, <-second)
	require.Equal(t, "10ms", shown)
}
