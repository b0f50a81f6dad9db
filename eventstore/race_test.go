package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestOneModeratorWinsARaceForAReport(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	users := b.users(t, 31)
	s := b.file(t, users[30], "1")
	got := platformtest.Outcomes(30, func(i int) error {
		_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[i], claim(users[i], s.Version))
		return err
	})
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeAlreadyClaimed: 29}, got)
}

func TestEqualFilingsLeaveOneReport(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	user := b.users(t, 1)[0]
	got := platformtest.Outcomes(30, func(int) error {
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
	got := platformtest.Outcomes(40, func(i int) error {
		_, err := b.store.File(context.Background(), filing(user, fmt.Sprint(i)))
		var e *domain.Error
		if errors.As(err, &e) && e.RetryAfter <= 0 {
			return errors.New("no time to come back is given")
		}
		return err
	})
	require.Equal(t, map[domain.Code]int{"": report.FilingsPerHour, domain.CodeRateLimited: 20}, got)
}

// Given a trusted flagger who files at once what the hour allows and more, exactly that is stored; and as a
// member again, who has filed more than a member may, nothing is.
func TestTooManyFilingsOfATrustedFlaggerLeaveSixHundred(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	user := b.users(t, 1)[0]
	flag := func(target string) error {
		f := filing(user, target)
		f.Created.Source = report.FromTrustedFlagger
		_, err := b.store.File(context.Background(), f)
		return err
	}
	for i := range report.FilingsPerHour {
		b.file(t, user, fmt.Sprint("as a member ", i))
	}
	left := report.FlaggerFilingsPerHour - report.FilingsPerHour
	require.Equal(t, map[domain.Code]int{"": left - 1}, platformtest.Outcomes(left-1, func(i int) error { return flag(fmt.Sprint(i)) }))
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeRateLimited: 9}, platformtest.Outcomes(10, func(i int) error { return flag(fmt.Sprint("the last ", i)) }))
	err := flag("one more")
	require.ErrorContains(t, err, "600 reports")
	require.Equal(t, report.FlaggerFilingsPerHour, pgtest.One[int](t, b.pool, `SELECT count(*) FROM core_moderation_reports`))
	_, err = b.store.File(context.Background(), filing(user, "as a member"))
	require.ErrorContains(t, err, "20 reports")
}

func TestReopeningAndFilingRaceForTheOpenKey(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	users := b.users(t, 2)
	s := b.file(t, users[0], "1")
	done, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[1], resolve(s.Version))
	require.NoError(t, err)
	got := platformtest.Outcomes(20, func(i int) error {
		if i%2 == 0 {
			_, err := b.store.File(context.Background(), filing(users[0], "1"))
			return err
		}
		_, err := b.store.Update(context.Background(), moderation.Ref{ReportID: s.ID}, &users[1], decide(func(s report.State) ([]report.Fact, error) {
			if s.Status != report.Done {
				return nil, domain.Errorf(domain.CodeAlreadyReported, "reopened meanwhile")
			}
			return report.DecideReopen(s, users[1], "again", done.Version)
		}))
		return err
	})
	require.Equal(t, map[domain.Code]int{"": 1, domain.CodeAlreadyReported: 19}, got)
}

// A wave of reports of the same new things, filed at two servers: they wait for each
// other's rows of targets, and never in a circle.
func TestAWaveOfFilingsDoesNotDeadlock(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	users := b.users(t, 40)
	servers := []*eventstore.Store{b.store, bundleOn(b.pool).store}
	for wave := range 10 {
		got := platformtest.Outcomes(len(users), func(i int) error {
			target := fmt.Sprint(wave*5 + (i*7)%5)
			_, err := servers[i%2].File(context.Background(), filing(users[i], target))
			return err
		})
		require.Equal(t, map[domain.Code]int{"": len(users)}, got)
	}
	b.pool.Reset() // connections that end tell what they have counted
	var deadlocks int
	require.Eventually(t, func() bool {
		var idle bool
		err := b.pool.QueryRow(t.Context(), `SELECT deadlocks, (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) <= 2
			FROM pg_stat_database WHERE datname = current_database()`).Scan(&deadlocks, &idle)
		return err == nil && idle
	}, 10*time.Second, 10*time.Millisecond)
	require.Zero(t, deadlocks)
}
