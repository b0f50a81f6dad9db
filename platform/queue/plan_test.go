package queue_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

// What workers do all the time stays quick beside a week of completed tasks.
func TestStatementsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	pgtest.Exec(t, b.pool, `
		INSERT INTO core_queue SELECT gen_random_uuid(), 'test', 'effect', 'default',
			CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 5000 = 1 THEN 'processing' WHEN n % 100 = 2 THEN 'failed' ELSE 'completed' END,
			'null', 0, 1, 12, $1::timestamptz - n * interval '1 second',
			CASE WHEN n % 5000 = 1 THEN $1::timestamptz END, NULL, $1::timestamptz - n * interval '1 second',
			CASE WHEN n % 100 NOT IN (0, 2) AND n % 5000 <> 1 THEN $1::timestamptz END
		FROM generate_series(1, 50000) n`, b.clock.Now())
	pgtest.Exec(t, b.pool, "ANALYZE core_queue")
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = "0199c0de-0000-7000-8000-000000000001"
	}
	cases := []struct {
		name, sql, index string
		args             []any
	}{
		{"take", queue.TakeTasks, "core_queue_next", []any{"default", time.Minute, 16, []string{"test:effect", "test:mail"}}},
		{"return", queue.ReturnTasks, "core_queue_leases", []any{100, ""}},
		{"settle", queue.SettleTasks, "core_queue_pkey", []any{
			ids, make([]int32, 100), make([]string, 100), make([]time.Duration, 100), make([]*string, 100),
		}},
		{"trim", queue.TrimTasks, "core_queue_by_", []any{13 * time.Hour, 100}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lines := pgtest.All[string](t, b.pool, "EXPLAIN "+c.sql, c.args...)
			plan := strings.Join(lines, "\n")
			require.Contains(t, plan, c.index)
			require.NotContains(t, plan, "Seq Scan")
		})
	}
}
