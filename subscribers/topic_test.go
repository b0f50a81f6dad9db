package subscribers

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// backlog fills the topic with n messages in transactions of ten.
func backlog(t testing.TB, pool *pgxpool.Pool, n int) {
	t.Helper()
	placeFreely(t, pool)
	pgtest.Exec(t, pool, `INSERT INTO watermill_docket_events (uuid, payload, metadata, transaction_id)
		SELECT gen_random_uuid()::text, '{}', json_build_object('name', 'moderation.report.created', 'occurred_at', now()), (1 + i / 10)::text::xid8
		FROM generate_series(1, $1::int) i`, n)
	pgtest.Exec(t, pool, `ANALYZE watermill_docket_events`)
}

func explain(t *testing.T, pool *pgxpool.Pool, group string) string {
	t.Helper()
	lines := pgtest.All[string](t, pool, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) "+publicEvents.readQuery(), group)
	return strings.Join(lines, "\n")
}

func TestABatchIsReadStraightFromTheIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	// The ids of the backlog are given out, so that its messages are visible.
	backlog(t, pool, 5000)
	pgtest.Exec(t, pool, `INSERT INTO watermill_offsets_docket_events VALUES ('late', 2000, '200'), ('done', 5000, '501')`)

	plan := explain(t, pool, "late")
	t.Log(plan)
	require.Contains(t, plan, "Index Scan using watermill_docket_events_pkey")
	require.Contains(t, plan, "ROW(transaction_id", "the position is the index's condition")
	require.Contains(t, plan, "actual rows=50")
	require.NotContains(t, plan, "Rows Removed by Filter")
	require.NotContains(t, plan, "Seq Scan on watermill_docket_events")

	t.Log("when nothing is unread, nothing is locked")
	require.NotRegexp(t, `LockRows \(actual rows=1`, explain(t, pool, "done"))
}

func TestAPositionNeverMovesBack(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO watermill_offsets_docket_events VALUES ('g', 7, '20')`)
	for _, step := range []struct {
		transaction uint64
		offset      int64
		want        string
	}{{20, 6, "20/7"}, {19, 9, "20/7"}, {20, 8, "20/8"}, {21, 1, "21/1"}} {
		pgtest.Exec(t, pool, publicEvents.moveQuery(), step.transaction, step.offset, "g")
		got := pgtest.One[string](t, pool, `SELECT last_processed_transaction_id::text || '/' || offset_acked FROM watermill_offsets_docket_events`)
		require.Equal(t, step.want, got)
	}
}
