package statistics_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// TestVerifyingHoldsNothingUp looks between the batches of a verification, as
// whoever delivers messages does: no transaction of its own is left open.
func TestVerifyingHoldsNothingUp(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	ctx := context.Background()
	h.Follow(t, statistics.Projections...)
	for _, p := range statistics.Projections {
		r, err := p.Verify(ctx, h.Pool, projector.Options{})
		require.NoError(t, err)
		require.Zero(t, r, "of an empty log")
	}
	for i := range 4 {
		h.Worked(t, 0, fmt.Sprint(i))
	}
	h.Follow(t, statistics.Projections...)
	for _, p := range statistics.Projections {
		looked := 0
		r, err := p.Verify(ctx, h.Pool, projector.Options{Progress: func(done, total int64) {
			looked++
			require.LessOrEqual(t, done, total)
			open := pgtest.One[int](t, h.Pool, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`)
			require.Zero(t, open)
		}})
		require.NoError(t, err)
		require.Positive(t, r.Compared)
		require.Zero(t, r.Wrong)
		require.Positive(t, looked)
	}
}

// TestVerifyingALogThatIsShorterThanABuildEnds takes the last event from the log,
// as one who has the database could.
func TestVerifyingALogThatIsShorterThanABuildEnds(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.Worked(t, 0, "1")
	h.Follow(t, statistics.Projections...)
	last := pgtest.One[int64](t, h.Pool, `SELECT max(position) FROM core_moderation_log`)
	h.SQL(t, `ALTER TABLE core_moderation_log DISABLE TRIGGER ALL`)
	h.SQL(t, `DELETE FROM core_moderation_log WHERE position = $1`, last)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	for _, p := range statistics.Projections {
		_, err := p.Verify(ctx, h.Pool, projector.Options{})
		var missing *eventstore.PoisonError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, last, missing.Position)
	}
}
