package eventstore_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestAnAccountsWordsAreFoundByTheirIndex asks PostgreSQL how it finds what one of
// 200 accounts wrote among 20,000 events: in the index's order, sorting nothing. Other
// ways are made dear, since what the planner thinks of the index's cost depends on how
// much of the new table VACUUM could mark while other tests run.
func TestAnAccountsWordsAreFoundByTheirIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_report_events
			(event_id, report_id, sequence, version, type, payload, evidence, actor_id, occurred_at, prev_hash, hash)
		SELECT gen_random_uuid(), gen_random_uuid(), 1, 1, 'created', '{}', 'words', lpad(to_hex(i % 200), 32, '0')::uuid, now(), '', ''
		FROM generate_series(1, 20000) i`)
	pgtest.Exec(t, pool, `VACUUM ANALYZE core_moderation_report_events`)

	plan := explain(t, indexesOnly(t, pool), eventstore.WrittenBy, "00000000-0000-0000-0000-000000000007", "00000000-0000-0000-0000-000000000000", 200)
	require.Contains(t, plan, "core_moderation_report_events_actor", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
	require.NotContains(t, plan, "Sort", plan)
}

// Pages of all reports follow the primary key: one that orders by the id's text sorts every
// report for each page.
func TestSnapshotsOfAnAccountAreFoundInTheOrderOfTheKey(t *testing.T) {
	t.Parallel()
	plan := explain(t, indexesOnly(t, pgtest.New(t)), eventstore.AuthoredBy, "somebody", "00000000-0000-0000-0000-000000000000", 200)
	require.Contains(t, plan, "core_moderation_reports_pkey", plan)
	require.NotContains(t, plan, "Sort", plan)
}

// indexesOnly returns a transaction that plans another way only where no index will do.
func indexesOnly(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx := pgtest.Begin(t, pool)
	pgtest.Exec(t, tx, `SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off`)
	return tx
}

// explain returns how PostgreSQL would run a query.
func explain(t *testing.T, db postgres.Querier, sql string, args ...any) string {
	t.Helper()
	lines := pgtest.All[string](t, db, `EXPLAIN `+sql, args...)
	return strings.Join(lines, "\n")
}
