package eventstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestSealingDoesNotReadTheWholeLog asks PostgreSQL how it finds a thousand new events beside
// 20,000 that are sealed: it looks each of them up.
func TestSealingDoesNotReadTheWholeLog(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := t.Context()
	run := func(sql string, args ...any) {
		t.Helper()
		pgtest.Exec(t, pool, sql, args...)
	}
	insert := func(n int) {
		run(`INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
			SELECT gen_random_uuid(), gen_random_uuid(), 1, 1, 'created', '{}', now(), '', '' FROM generate_series(1, $1)`, n)
	}
	insert(20_000)
	run(`INSERT INTO core_moderation_log (position, event_id, leaf_hash) SELECT row_number() OVER (), event_id, '' FROM core_moderation_report_events`)
	var from, through string
	require.NoError(t, pool.QueryRow(ctx, `SELECT pg_snapshot_xmax(s)::text, (pg_snapshot_xmax(s)::text::bigint + 1000)::text FROM pg_current_snapshot() s`).Scan(&from, &through))
	insert(1000)
	run(`VACUUM ANALYZE core_moderation_report_events, core_moderation_log`)

	plan := explain(t, pool, eventstore.NextEvents, 1000, from, through)
	require.Contains(t, plan, "core_moderation_report_events_transaction", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
}
