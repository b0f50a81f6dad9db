package eventstore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

var post1 = moderation.CaseTarget{PluginID: "forum", Type: "forum.post", ID: "1"}

// signalling is a bundle whose service sends signals.
func signalling(t *testing.T) (*bundle, *moderation.Service) {
	t.Helper()
	b := newBundle(t)
	b.store = eventstore.New(b.pool, projections.Inline{}, queue.Effects{}, nil, time.Now, func() {})
	return b, moderation.New(b.store, b.reports, nil, registry.NewTargets(), time.Now, "en")
}

func (b *bundle) signalled(t *testing.T, id string) (all []*report.Signalled, s report.State) {
	t.Helper()
	events, err := eventstore.Load(t.Context(), b.pool, id)
	require.NoError(t, err)
	for _, e := range events {
		if f, ok := e.Fact.(*report.Signalled); ok {
			all = append(all, f)
		}
	}
	return all, report.Fold(events)
}

// signalTasks counts the tasks that give reports what was sent.
func (b *bundle) signalTasks(t *testing.T) int {
	t.Helper()
	return pgtest.One[int](t, b.pool, `SELECT count(*) FROM core_queue WHERE name = $1`, moderation.SignalsTask)
}

func (b *bundle) verify(t *testing.T) {
	t.Helper()
	done, err := projections.Inline{}.Verify(t.Context(), b.pool, projector.Options{Workers: 1, Found: func(d string) { t.Error(d) }})
	require.NoError(t, err)
	require.Zero(t, done.Wrong)
}

func TestSignalsReachReportsFiledBeforeAndAfter(t *testing.T) {
	t.Parallel()
	b, service := signalling(t)
	users := b.users(t, 4)
	send := func(source string, all ...signal.Signal) int {
		n, err := service.Signal(t.Context(), post1, source, all)
		require.NoError(t, err)
		return n
	}
	done, other, before := b.file(t, users[2], "1"), b.file(t, users[0], "2"), b.file(t, users[0], "1")
	_, err := b.store.Update(t.Context(), moderation.Ref{ReportID: done.ID}, &users[3], resolve(done.Version))
	require.NoError(t, err)

	require.Equal(t, 1, send("forum", signal.Signal{Name: "spam", Score: 0.9}, signal.Signal{Name: "nude"}))
	require.Equal(t, 1, send("links", signal.Signal{Name: "unknown", Score: 1}))
	after := b.file(t, users[1], "1")
	require.Equal(t, 3, after.Sequence, "a filing holds what is kept")
	require.Equal(t, 1, after.Version)
	for _, id := range []string{before.ID, after.ID} {
		facts, s := b.signalled(t, id)
		require.Len(t, facts, 2)
		require.Len(t, s.Signals, 3)
		require.Equal(t, []any{"forum", "nude", 0.0, "forum", "spam", 0.9, "links", "unknown", 1.0}, []any{s.Signals[0].Source, s.Signals[0].Name, s.Signals[0].Score,
			s.Signals[1].Source, s.Signals[1].Name, s.Signals[1].Score, s.Signals[2].Source, s.Signals[2].Name, s.Signals[2].Score})
	}
	for _, id := range []string{done.ID, other.ID} {
		facts, _ := b.signalled(t, id)
		require.Empty(t, facts)
	}

	t.Log("a repeat adds nothing and waits for nobody who works on a report, another score does")
	works := pgtest.Begin(t, b.pool)
	pgtest.Exec(t, works, `SELECT FROM core_moderation_reports FOR UPDATE`)
	require.Equal(t, 2, send("forum", signal.Signal{Name: "spam", Score: 0.9}))
	require.NoError(t, works.Rollback(t.Context()))
	facts, _ := b.signalled(t, before.ID)
	require.Len(t, facts, 2)
	send("forum", signal.Signal{Name: "spam", Score: 0.1})
	facts, s := b.signalled(t, before.ID)
	require.Len(t, facts, 3)
	require.InDelta(t, 0.1, s.Signals[1].Score, 0)

	t.Log("of a source the latest are kept, for a month")
	for i := range 3 {
		var all []signal.Signal
		for n := range signal.MaxSignals {
			all = append(all, signal.Signal{Name: fmt.Sprintf("s%d", i*signal.MaxSignals+n), Score: 1})
		}
		send("forum", all...)
	}
	kept, err := b.reports.KeptSignals(t.Context(), post1)
	require.NoError(t, err)
	require.Len(t, kept, signal.MaxSignals+1)
	_, s = b.signalled(t, before.ID)
	require.Len(t, s.Signals, signal.MaxSignals+1)
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_signals SET at = at - CASE source WHEN 'links' THEN interval '30 days' ELSE interval '29 days 23 hours' END`)
	require.NoError(t, b.reports.TrimSignals(t.Context()))
	kept, err = b.reports.KeptSignals(t.Context(), post1)
	require.NoError(t, err)
	require.Len(t, kept, signal.MaxSignals)
	b.verify(t)
}

// Given a target of very many reports, then a task gives them what was sent.
func TestManyReportsGetSignalsFromATask(t *testing.T) {
	t.Parallel()
	b, service := signalling(t)
	changed, err := b.reports.KeepSignals(t.Context(), post1, "forum", []signal.Signal{{Name: "spam", Score: 1}}, time.Now(), true)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 1, b.signalTasks(t), "in the same transaction")
	changed, err = b.reports.KeepSignals(t.Context(), post1, "forum", []signal.Signal{{Name: "spam", Score: 1}}, time.Now(), true)
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, 1, b.signalTasks(t), "only for what is new")

	users := b.users(t, 501)
	got := platformtest.Outcomes(len(users), func(i int) error { _, err := b.store.File(context.Background(), filing(users[i], "1")); return err })
	require.Equal(t, map[domain.Code]int{"": len(users)}, got)
	n, err := service.Signal(t.Context(), post1, "forum", []signal.Signal{{Name: "spam", Score: 0}})
	require.NoError(t, err)
	require.Equal(t, len(users), n)
	require.Equal(t, 2, b.signalTasks(t))
	for range 2 { // it can run again
		require.NoError(t, service.SpreadSignals(t.Context(), post1, ""))
	}
	var reports, events int
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM core_moderation_reports WHERE signals->0->>'score' = '0'),
		(SELECT count(*) FROM core_moderation_report_events WHERE type = 'signalled')`).Scan(&reports, &events))
	require.Equal(t, []int{501, 1002}, []int{reports, events})
}

// Signals and filings of one target at once: whichever comes first, each report gets each score at
// most once and ends with those that are kept.
func TestSignalsAndFilingsAtOnce(t *testing.T) {
	t.Parallel()
	b, service := signalling(t)
	const filers, senders, sent = 40, 4, 12
	users := b.users(t, filers)
	got := platformtest.Outcomes(filers+senders, func(i int) error {
		if i < filers {
			_, err := b.store.File(context.Background(), filing(users[i], "1"))
			return err
		}
		for n := range sent {
			_, err := service.Signal(context.Background(), post1, fmt.Sprintf("source%d", i%2), []signal.Signal{{Name: fmt.Sprintf("s%d", i), Score: float64(n+1) / sent}, {Name: "all", Score: float64(n*senders+i) / 1000}})
			if err != nil {
				return err
			}
		}
		return nil
	})
	require.Equal(t, map[domain.Code]int{"": filers + senders}, got)
	if b.signalTasks(t) > 0 { // filings that signals overtook again and again
		require.NoError(t, service.SpreadSignals(t.Context(), post1, ""))
	}
	kept, err := b.reports.KeptSignals(t.Context(), post1)
	require.NoError(t, err)
	require.Len(t, kept, senders+2)
	open, lacking, err := b.reports.OpenOn(t.Context(), post1, kept)
	require.NoError(t, err)
	require.Equal(t, filers, open)
	require.Empty(t, lacking)
	for _, id := range pgtest.All[string](t, b.pool, `SELECT id::text FROM core_moderation_reports`) {
		facts, s := b.signalled(t, id)
		require.Equal(t, kept, s.Signals)
		last := map[[2]string]signal.Scored{}
		for _, f := range facts {
			for _, one := range f.Scored() {
				key := [2]string{one.Source, one.Name}
				require.True(t, one.At.After(last[key].At), "a later one")
				require.NotEqual(t, last[key].Score, one.Score)
				last[key] = one
			}
		}
	}
	b.verify(t)
}

// overtaken is an inline projection whose filings are always too late for the newest signals.
type overtaken struct {
	projections.Inline
	signal func()
}

func (o overtaken) QueueFilings(b *pgx.Batch, filings []*eventstore.Opening, window time.Duration) {
	o.signal()
	o.Inline.QueueFilings(b, filings, window)
}

// Given so many signals that a filing never has the newest, then it is filed nevertheless, and a task
// gives them to it.
func TestAFilingThatSignalsOvertakeIsFiled(t *testing.T) {
	t.Parallel()
	b, service := signalling(t)
	user, sent := b.users(t, 1)[0], 0
	b.store = eventstore.New(b.pool, overtaken{signal: func() {
		sent++
		_, err := b.reports.KeepSignals(context.Background(), post1, "forum", []signal.Signal{{Name: "spam", Score: float64(sent) / 100}}, time.Now(), false)
		require.NoError(t, err)
	}}, queue.Effects{}, nil, time.Now, func() {})
	filed := b.file(t, user, "1")
	_, s := b.signalled(t, filed.ID)
	kept, err := b.reports.KeptSignals(t.Context(), post1)
	require.NoError(t, err)
	require.NotEqual(t, kept, s.Signals)
	require.Equal(t, 1, b.signalTasks(t))
	require.NoError(t, service.SpreadSignals(t.Context(), post1, ""))
	_, s = b.signalled(t, filed.ID)
	require.Equal(t, kept, s.Signals)
	b.verify(t)
}

// Given a source that changes its score again and again, a report takes a hundred changes at once, and the last of the
// others from one task.
func TestARestlessSourceDoesNotGrowAReport(t *testing.T) {
	t.Parallel()
	b, _ := signalling(t)
	filed := b.file(t, b.users(t, 1)[0], "1")
	after := func(age time.Duration) *moderation.Service { // of the report
		return moderation.New(b.store, b.reports, nil, registry.NewTargets(), func() time.Time { return time.Now().Add(age) }, "en")
	}
	service := after(10 * time.Hour) // so that a tenth of the age does not pass in the test
	send := func(n int) {
		_, err := service.Signal(t.Context(), post1, "forum", []signal.Signal{{Name: "spam", Score: float64(n) / 200}})
		require.NoError(t, err)
	}
	for n := range 150 {
		send(n)
	}
	facts, _ := b.signalled(t, filed.ID)
	require.Len(t, facts, 99)
	send(200)
	_, s := b.signalled(t, filed.ID)
	require.NotEqual(t, 1.0, s.Signals[0].Score)
	require.Equal(t, 1, b.signalTasks(t))

	t.Log("what runs too early, as by another clock, leaves it to another task")
	require.NoError(t, service.SpreadSignals(t.Context(), post1, "a task"))
	require.Equal(t, 2, b.signalTasks(t))
	require.NoError(t, after(12*time.Hour).SpreadSignals(t.Context(), post1, ""))
	_, s = b.signalled(t, filed.ID)
	require.InDelta(t, 1, s.Signals[0].Score, 0)
	b.verify(t)
}

// Given a filing by a server of a release that knows no signals, the job that mends its row gives it those
// that are kept.
func TestAFilingByTheReleaseBeforeGetsSignals(t *testing.T) {
	t.Parallel()
	b, service := signalling(t)
	users := b.users(t, 2)
	filed, other := b.file(t, users[0], "1"), b.file(t, users[1], "1")
	pgtest.Exec(t, b.pool, `UPDATE core_moderation_reports SET search = ts_delete(search, '+3') WHERE id = $1`, filed.ID)
	_, err := b.reports.KeepSignals(t.Context(), post1, "forum", []signal.Signal{{Name: "spam", Score: 1}}, time.Now(), false)
	require.NoError(t, err)
	require.NoError(t, service.SignalMissed(t.Context()))
	require.NoError(t, projections.Mend(t.Context(), b.pool))
	for _, id := range []string{filed.ID, other.ID} {
		facts, _ := b.signalled(t, id)
		require.Len(t, facts, 1)
	}
	missed, err := b.reports.Unsignalled(t.Context())
	require.NoError(t, err)
	require.Empty(t, missed)
	b.verify(t)
}
