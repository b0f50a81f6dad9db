package transparency

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

// Given a report whose servers were killed in each attempt, when its task is tried once more, then it has
// failed with a word, and the task is done.
func TestAReportIsNeverLeftUnfinished(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s := New(pool, pool, nil, nil, time.Now)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	k, err := s.Request(t.Context(), today, today, uuid.NewString())
	require.NoError(t, err)
	require.NoError(t, s.attempt(t.Context(), queue.Attempt{Number: maxAttempts + 1}, payload{k.ID}))
	k, err = s.Find(t.Context(), k.ID)
	require.NoError(t, err)
	require.Equal(t, Failed, k.State)
	require.Equal(t, errEnded.Error(), *k.Error)
}
