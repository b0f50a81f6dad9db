package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Given many who try at once within a minute, on two servers, each may as often as
// the limit says.
func TestAttemptsAreCountedExactly(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	servers := []*bundle{b, bundleOn(b.pool)}
	now := time.Date(2026, 10, 11, 19, 33, 21, 0, time.UTC)
	users := make([]string, 5)
	admitted := make([]atomic.Int64, len(users))
	var wg sync.WaitGroup
	for i := range users {
		users[i] = uuid.NewString()
		for try := range report.AttemptsPerHour + 30 {
			wg.Go(func() {
				err := servers[try%2].store.CountAttempt(t.Context(), users[i], now.Add(time.Duration(try)*time.Millisecond))
				if err == nil {
					admitted[i].Add(1)
					return
				}
				var limited *domain.Error
				if !errors.As(err, &limited) || limited.Code != domain.CodeRateLimited || limited.RetryAfter < 59*time.Minute {
					t.Errorf("attempt %d: %v", try, err)
				}
			})
		}
	}
	wg.Wait()
	for i := range users {
		require.EqualValues(t, report.AttemptsPerHour, admitted[i].Load(), fmt.Sprint("user ", i))
		require.NoError(t, b.store.CountAttempt(t.Context(), users[i], now.Add(time.Hour+2*time.Minute)), "the hour has slid on")
	}
}

// Given a database that does not answer, an attempt ends with its request.
func TestAnAttemptEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	tx, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `LOCK TABLE core_moderation_attempts`)
	require.NoError(t, err)
	user := uuid.NewString()
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client has gone")
	time.AfterFunc(10*time.Millisecond, func() { cancel(gone) })

	require.ErrorIs(t, b.store.CountAttempt(ctx, user, time.Now()), gone)

	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, b.store.CountAttempt(t.Context(), user, time.Now()))
}
