package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

func TestOpenTasksAreCounted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := queue.New(pool, queue.Config{})
	for status, n := range map[string]int{"pending": 2, "failed": 1, "completed": 4} {
		pgtest.Exec(t, pool, `INSERT INTO core_queue (id, plugin_id, name, queue, status, payload, priority, attempts, max_attempts, available_at, created_at, completed_at)
			SELECT gen_random_uuid(), 'p', 'n', 'default', $1, '{}', 0, 0, 1, now(), now(), CASE WHEN $1 = 'completed' THEN now() END FROM generate_series(1, $2)`, status, n)
	}

	counts, err := q.Open(t.Context())

	require.NoError(t, err)
	require.Equal(t, map[queue.Status]int64{queue.Pending: 2, queue.Processing: 0, queue.Failed: 1, queue.Unhandled: 0}, counts)
}
