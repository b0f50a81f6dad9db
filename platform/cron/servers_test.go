package cron_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// A server that has started deletes no jobs of others that run.
func TestAJobStaysUntilNoServerHasHadItForADay(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	one, other := job("one", "@yearly", nothing), job("other", "@yearly", nothing)
	first := b.server(one)
	b.server(other)
	require.Contains(t, b.stored(), "one")

	b.clock.Advance(23 * time.Hour)
	require.NoError(t, first.Refresh(t.Context()))
	b.clock.Advance(2 * time.Hour)
	b.server(job("third", "@yearly", nothing))
	require.Contains(t, b.stored(), "one", "refreshed two hours ago")
	require.NotContains(t, b.stored(), "other", "registered 25 hours ago")

	b.clock.Advance(22*time.Hour + time.Second)
	b.server(job("fourth", "@yearly", nothing))
	require.NotContains(t, b.stored(), "one")
}

// A server of a release that deletes the jobs of others may start at any time.
func TestRefreshRestoresJobsThatAnotherServerDeleted(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.server(job("one", "@daily", nothing), job("two", "@daily", nothing))
	pgtest.Exec(t, b.pool, "DELETE FROM core_cron WHERE name = 'one'")

	require.NoError(t, c.Refresh(t.Context()))

	require.Len(t, b.stored(), 2)
}

// Nothing waits for a job that only a server that is gone had.
func TestAJobThatNoServerHasIsNotOverdue(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.server(job("gone", "* * * * *", nothing))
	c := b.server(job("here", "@yearly", nothing))
	require.Equal(t, 1, b.tick(c))

	b.clock.Advance(time.Second + 15*time.Minute)
	require.Zero(t, b.health(c).OverdueJobs)

	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(c.RunNow(t.Context(), b.stored()["gone"].ID)))
}
