package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

// outcomes runs n calls at once and counts their error codes, "" for success.
func outcomes(n int, call func(i int) error) map[domain.Code]int {
	var mu sync.Mutex
	counts := map[domain.Code]int{}
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-begin
			err := call(i)
			code := domain.ErrorCode(err)
			if err != nil && code == "" {
				code = domain.Code(err.Error())
			}
			mu.Lock()
			counts[code]++
			mu.Unlock()
		})
	}
	close(begin)
	wg.Wait()
	return counts
}

func TestOneModeratorWinsARaceForAReport(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 30} {
		t.Run(fmt.Sprintf("of %d", n), func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			users := b.users(t, n+1)
			s := b.file(t, users[n], "1")
			got := outcomes(n, func(i int) error {
				_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[i], claim(users[i], s.Version))
				return err
			})
			require.Equal(t, map[domain.Code]int{"": 1, domain.CodeAlreadyClaimed: n - 1}, got)
		})
	}
}

func TestEqualFilingsLeaveOneReport(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	user := b.users(t, 1)[0]
	got := outcomes(30, func(int) error {
		_, err := b.store.File(context.Background(), filing(user, "1"))
		var e *domain.Error
		if errors.As(err, &e) && e.ReportID == "" {
			return errors.New("the open report is not named")
		}
		return err
	})
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeAlreadyReported: 29}, got)
}

func TestFortyFilingsInAnHourLeaveTwenty(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	user := b.users(t, 1)[0]
	got := outcomes(40, func(i int) error {
		_, err := b.store.File(context.Background(), filing(user, fmt.Sprint(i)))
		var e *domain.Error
		if errors.As(err, &e) && e.RetryAfter <= 0 {
			return errors.New("no time to come back is given")
		}
		return err
	})
	require.Equal(t, map[domain.Code]int{"": report.FilingsPerHour, domain.CodeRateLimited: 20}, got)
}

func TestReopeningAndFilingRaceForTheOpenKey(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	users := b.users(t, 2)
	s := b.file(t, users[0], "1")
	done, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[1], resolve(s.Version))
	require.NoError(t, err)
	got := outcomes(20, func(i int) error {
		if i%2 == 0 {
			_, err := b.store.File(context.Background(), filing(users[0], "1"))
			return err
		}
		_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[1], decide(func(s report.State) ([]report.Fact, error) {
			if s.Status != report.Done {
				return nil, domain.Errorf(domain.CodeAlreadyReported, "reopened meanwhile")
			}
			return report.DecideReopen(s, "again", done.Version)
		}))
		return err
	})
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeAlreadyReported: 19}, got)
}
