package subscribers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// desk is a log with a listener of its topic.
type desk struct {
	pool  *pgxpool.Pool
	store *eventstore.Store

	mu    sync.Mutex
	heard map[string][]int // sequences in the order of delivery, by report
}

func newDesk(t *testing.T) *desk {
	d := &desk{pool: pgtest.New(t), heard: map[string][]int{}}
	d.store = eventstore.New(d.pool, projections.Inline{}, nil, nil, time.Now, func() {})
	start(t, d.pool, event.Listener{Group: "desk", Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.heard[e.ReportID] = append(d.heard[e.ReportID], int(e.Sequence))
		return nil
	}})
	return d
}

// file files n reports by a new account and returns their sorted ids.
func (d *desk) file(t require.TestingT, n int) (user string, ids []string) {
	user = uuid.Must(uuid.NewV7()).String()
	pgtest.Exec(t, d.pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, 'User', now())`, user)
	for i := range n {
		s, err := d.store.File(context.Background(), moderation.Filing{Created: report.Created{
			Target: report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint(i), PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: user,
			Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[]}`)},
		}})
		require.NoError(t, err)
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return user, ids
}

// next claims a report or unassigns one that is claimed; at the end of a turn it resolves a
// report or reopens one that is done.
func next(s report.State, user string, end bool) ([]report.Fact, error) {
	switch {
	case s.Status == report.Done:
		return report.DecideReopen(s, user, "because", s.Version)
	case end:
		return report.DecideResolve(s, user, report.Resolve{Resolution: report.NoViolation}, s.Version)
	case s.Held():
		return report.DecideUnassign(s, s.Version)
	}
	return report.DecideClaim(s, user, s.Version)
}

func (d *desk) one(user, id string, end bool) error {
	_, err := d.store.Update(context.Background(), moderation.Ref{ReportID: id}, &user, func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
		facts, err := next(l.State, user, end)
		return moderation.Change{Facts: facts}, err
	})
	return err
}

func (d *desk) all(user string, ids []string, end bool) error {
	_, err := d.store.UpdateAll(context.Background(), ids, &user, func(_ context.Context, _ pgx.Tx, loaded []moderation.Loaded) ([]moderation.Change, error) {
		changes := make([]moderation.Change, len(loaded))
		for i, l := range loaded {
			var err error
			if changes[i].Facts, err = next(l.State, user, end); err != nil {
				return nil, err
			}
		}
		return changes, nil
	})
	return err
}

// check waits until all public events of the reports were delivered, and holds them to the
// reports' own order.
func (d *desk) check(t require.TestingT, ids []string) {
	for _, id := range ids {
		events, err := eventstore.Load(context.Background(), d.pool, id)
		require.NoError(t, err)
		var want []int
		for _, e := range events {
			if name, _ := report.PublishedAs(e); name != "" {
				want = append(want, e.Sequence)
			}
		}
		var got []int
		require.Eventually(t, func() bool {
			d.mu.Lock()
			defer d.mu.Unlock()
			got = slices.Clone(d.heard[id])
			return len(got) >= len(want)
		}, time.Minute, time.Millisecond)
		require.Equal(t, want, got, "report %s", id)
	}
}

// Given an update of three reports that waits for the second, and an update of the third that
// commits in the meantime, then the listener hears of the latter first.
func TestAnUpdateThatWaitedIsDeliveredAfterWhatItFollows(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	user, ids := d.file(t, 3)
	held := pgtest.Begin(t, d.pool)
	pgtest.Exec(t, held, `SELECT FROM core_moderation_reports WHERE id = $1 FOR UPDATE`, ids[1])
	done := make(chan error, 1)
	go func() { done <- d.all(user, ids, false) }()
	pgtest.AwaitLock(t, d.pool)
	require.NoError(t, d.one(user, ids[2], false))
	require.NoError(t, held.Rollback(t.Context()))
	require.NoError(t, <-done)
	d.check(t, ids)
}

// Given random updates of one report and of several at once, then each report's events are
// delivered in its order.
func TestEventsOfAReportAreDeliveredInItsOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rapid.Check(t, func(t *rapid.T) {
		user, ids := d.file(t, rapid.IntRange(2, 9).Draw(t, "reports"))
		var workers sync.WaitGroup
		for range rapid.IntRange(2, 6).Draw(t, "workers") {
			several := rapid.SliceOfN(rapid.Bool(), 1, 6).Draw(t, "several")
			first := rapid.IntRange(0, len(ids)-1).Draw(t, "first")
			workers.Go(func() {
				for i, all := range several {
					var err error
					if all {
						err = d.all(user, ids[(first+i)%len(ids)/2:], i%3 == 2)
					} else {
						err = d.one(user, ids[len(ids)-1-(first+i)%len(ids)], i%3 == 2)
					}
					if err != nil && domain.ErrorCode(err) == "" {
						t.Errorf("update: %v", err)
					}
				}
			})
		}
		workers.Wait()
		d.check(t, ids)
	})
}
