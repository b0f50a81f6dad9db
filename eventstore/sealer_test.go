package eventstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func newSealer(pool *pgxpool.Pool) *eventstore.Sealer {
	return eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {})
}

// sealAll seals until nothing is left and holds the log to its promises.
func sealAll(t *testing.T, s *eventstore.Sealer) {
	t.Helper()
	for {
		n, err := s.Seal(context.Background())
		require.NoError(t, err)
		if n == 0 {
			return
		}
	}
}

func requireWholeLog(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ctx := context.Background()
	var events, sealed, last, disordered int
	require.NoError(t, pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM core_moderation_report_events), count(*), coalesce(max(position), 0) FROM core_moderation_log`).
		Scan(&events, &sealed, &last))
	require.Equal(t, events, sealed, "every event is sealed")
	require.Equal(t, sealed, last, "positions have no gap")
	require.NoError(t, pool.QueryRow(ctx, `SELECT count(*) FROM (
		SELECT sequence, lag(sequence) OVER (PARTITION BY report_id ORDER BY position) AS before
		FROM core_moderation_log JOIN core_moderation_report_events USING (event_id)) s WHERE sequence <> coalesce(before, 0) + 1`).Scan(&disordered))
	require.Zero(t, disordered, "each report is in order")
}

func TestSealerStallsForNoOpenTransaction(t *testing.T) {
	t.Parallel()
	for name, elsewhere := range map[string]bool{"in this database": false, "in another database": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			pool := b.pool
			if elsewhere {
				pool = pgtest.New(t)
			}
			ctx := context.Background()
			tx := pgtest.Begin(t, pool)
			_, err := tx.Exec(ctx, `SELECT pg_current_xact_id()`) // holds back every snapshot of the cluster
			require.NoError(t, err)

			user := b.users(t, 1)[0]
			b.file(t, user, "1")
			sealAll(t, newSealer(b.pool))
			requireWholeLog(t, b.pool)
		})
	}
}

func TestSealerSkipsNothingThatCommitsOutOfOrder(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ctx := context.Background()
	users := b.users(t, 2)
	early := b.file(t, users[0], "early")

	// Given a writer that got its transaction id first and commits last.
	tx := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, tx, `INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		SELECT gen_random_uuid(), gen_random_uuid(), 1, 1, 'created', payload, now(), prev_hash, hash FROM core_moderation_report_events WHERE report_id = $1`, early.ID)
	sealer := newSealer(b.pool)
	for i := range 5 {
		b.file(t, users[1], fmt.Sprint(i))
		sealAll(t, sealer)
	}
	require.NoError(t, tx.Commit(ctx))
	sealAll(t, sealer)
	requireWholeLog(t, b.pool)
}

func TestTwoSealersAndManyWriters(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ctx, cancel := context.WithCancel(context.Background())
	var sealers sync.WaitGroup
	for range 2 {
		s := newSealer(b.pool)
		sealers.Go(func() { s.Run(ctx) })
	}
	users := b.users(t, 8)
	var writers sync.WaitGroup
	for i, user := range users {
		writers.Go(func() {
			for n := range 10 {
				s, err := b.store.File(ctx, filing(user, fmt.Sprint(i, n)))
				if err == nil {
					_, err = b.store.Update(ctx, moderation.Ref{ReportID: s.ID}, &user, claim(user, s.Version))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	require.Eventually(t, func() bool {
		var behind int
		err := b.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM core_moderation_report_events) - (SELECT count(*) FROM core_moderation_log)`).Scan(&behind)
		return err == nil && behind == 0
	}, 20*time.Second, 20*time.Millisecond)
	cancel()
	sealers.Wait()
	requireWholeLog(t, b.pool)
}

func TestTheLogRefusesChange(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	s := b.file(t, b.users(t, 1)[0], "1")
	ctx := context.Background()
	for _, sql := range []string{
		`UPDATE core_moderation_report_events SET payload = '{}'`,
		`UPDATE core_moderation_report_events SET actor_id = NULL`,
		`UPDATE core_moderation_report_events SET occurred_at = now()`,
		`UPDATE core_moderation_report_events SET evidence = 'other'`,
		`UPDATE core_moderation_report_events SET evidence = NULL, evidence_digest = NULL`,
		`UPDATE core_moderation_report_events SET transaction_id = '1', evidence = NULL`,
		`DELETE FROM core_moderation_report_events`,
		`TRUNCATE core_moderation_report_events`,
		`UPDATE core_moderation_log SET position = position + 1`,
		`DELETE FROM core_moderation_log`,
		`TRUNCATE core_moderation_log`,
	} {
		_, err := b.pool.Exec(ctx, sql)
		require.ErrorContains(t, err, "append-only", sql)
	}
	logtest.VerifyStream(t, b.pool, s.ID)
	_, err := b.pool.Exec(ctx, `UPDATE core_moderation_report_events SET evidence = NULL`)
	require.NoError(t, err, "evidence can be erased")
	logtest.VerifyStream(t, b.pool, s.ID) // and the chain stays whole
	events, err := eventstore.Load(ctx, b.pool, s.ID)
	require.NoError(t, err)
	require.True(t, events[0].Erased)
}

// moveToAnotherCluster gives events and sealer the transaction ids of a cluster
// that is much older than this one, as pg_restore does.
func moveToAnotherCluster(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for _, sql := range []string{
		`ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`,
		`UPDATE core_moderation_report_events SET transaction_id = ((transaction_id::text)::bigint + 90000000000)::text::xid8`,
		`UPDATE core_moderation_sealer SET lower_bound = ((lower_bound::text)::bigint + 90000000000)::text::xid8`,
		`ALTER TABLE core_moderation_report_events ENABLE TRIGGER ALL`,
	} {
		pgtest.Exec(t, pool, sql)
	}
}

func TestARestoredLogIsScannedOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, bound := range map[string]string{"that of the cluster": "", "held back by an old transaction": "3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			user := b.users(t, 1)[0]
			for i := range 5 {
				b.file(t, user, fmt.Sprint(i))
			}
			sealAll(t, newSealer(b.pool))
			b.file(t, user, "not sealed before the dump")
			moveToAnotherCluster(t, b.pool)
			if bound != "" {
				pgtest.Exec(t, b.pool, `UPDATE core_moderation_sealer SET lower_bound = $1::text::xid8`, bound)
			}
			b.file(t, user, "after the restore")

			require.NoError(t, newSealer(b.pool).SealAll(ctx))
			requireWholeLog(t, b.pool)

			var from, through, next string
			require.NoError(t, b.pool.QueryRow(ctx, eventstore.ScanBounds).Scan(&from, &through, &next))
			looked := pgtest.One[int](t, b.pool, `SELECT count(*) FROM core_moderation_report_events
				WHERE transaction_id >= $1::text::xid8 AND transaction_id <= $2::text::xid8 AND transaction_id >= '90000000000'`, from, through)
			require.Zero(t, looked, "the next pass reads nothing of what was restored")
			b.file(t, user, "and later")
			sealAll(t, newSealer(b.pool))
			requireWholeLog(t, b.pool)
		})
	}
}
