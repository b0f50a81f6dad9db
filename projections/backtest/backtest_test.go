package backtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/platformtest"
	rules "github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/projections/backtest"
)

func request(t *testing.T, r *backtest.Runs, d *logtest.Database, when string) string {
	t.Helper()
	e, issues := rule.Parse(when)
	require.Empty(t, issues)
	run, err := r.Request(t.Context(), e, nil, nil, nil, d.Users[0])
	require.NoError(t, err)
	return run.ID
}

func find(t *testing.T, r *backtest.Runs, id string) backtest.Run {
	t.Helper()
	run, err := r.Find(t.Context(), id)
	require.NoError(t, err)
	return run
}

func result(t *testing.T, run backtest.Run) (found rule.Result) {
	t.Helper()
	require.Equal(t, backtest.Done, run.State, run.Error)
	require.NoError(t, json.Unmarshal(run.Result, &found))
	return found
}

func TestABacktestReadsTheLogAsItWas(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	first := d.File(t, 1, "1")
	d.Resolve(t, first, 0, report.ActionTaken)
	d.Seal(t)                   // which gives the order
	second := d.File(t, 1, "2") // the reporter was right before
	d.Seal(t)
	d.Resolve(t, first, 0, report.NoViolation)
	d.Seal(t)
	d.File(t, 1, "3")
	d.Seal(t)

	id := request(t, r, d, `reporter.upheld == 1`)
	require.NoError(t, r.Work(t.Context(), false))
	run := find(t, r, id)
	got := result(t, run)
	require.Equal(t, []rule.Example{{ReportID: second, Outcome: rule.Open}}, got.Examples)
	require.Equal(t, 3, got.Evaluated)
	require.Equal(t, run.Total, got.ThroughPosition)
	root, err := proof.RootAt(t.Context(), d.Pool, run.Total)
	require.NoError(t, err)
	require.Len(t, root, 32)

	again := request(t, r, d, `reporter.upheld == 1`)
	require.NoError(t, r.Work(t.Context(), false))
	require.Equal(t, string(run.Result), string(find(t, r, again).Result), "the same bytes")
}

// Two servers ask at once, and each task ends when the other server works: none is left.
func TestBacktestsRunOneAtATimeAndNoneIsLeft(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 1, "1")
	d.Seal(t)
	servers := []*backtest.Runs{backtest.New(d.Pool, d.Pool, time.Now), backtest.New(d.Pool, d.Pool, time.Now)}
	e, issues := rule.Parse(`muted`)
	require.Empty(t, issues)
	require.Equal(t, map[domain.Code]int{"": 16}, platformtest.Outcomes(16, func(i int) error {
		_, err := servers[i%2].Request(context.Background(), e, nil, nil, nil, d.Users[0])
		return errors.Join(err, servers[i%2].Work(context.Background(), false))
	}))
	require.Zero(t, pgtest.One[int](t, d.Pool, `SELECT count(*) FROM core_backtests WHERE state <> 'done'`))
	require.Zero(t, pgtest.One[int](t, d.Pool, `SELECT count(*) FROM core_backtests a JOIN core_backtests b ON a.id < b.id AND a.started_at < b.finished_at AND b.started_at < a.finished_at`))
}

// A server that is gone leaves its back-test running; the next that works does it from the start.
func TestABacktestOfAServerThatIsGoneIsDoneAgain(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 1, "1")
	d.Seal(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	id := request(t, r, d, `reporters == 1`)
	pgtest.Exec(t, d.Pool, `UPDATE core_backtests SET state = 'running', done = 1, total = 1, started_at = now()`)
	require.NoError(t, r.Work(t.Context(), false))
	require.Equal(t, 1, result(t, find(t, r, id)).Matched)

	t.Log("one whose servers all end has failed, and the next is done")
	id, next := request(t, r, d, `reporters == 1`), request(t, r, d, `muted`)
	pgtest.Exec(t, d.Pool, `UPDATE core_backtests SET state = 'running', attempts = 3, started_at = now() WHERE id = $1`, id)
	require.NoError(t, r.Work(t.Context(), false))
	run := find(t, r, id)
	require.Equal(t, backtest.Failed, run.State)
	require.Equal(t, "its server ended in each of 3 attempts", *run.Error)
	require.NotNil(t, run.FinishedAt)
	result(t, find(t, r, next))
}

func TestACancelledBacktestStaysCancelled(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	id, other := request(t, r, d, `muted`), request(t, r, d, `muted`)
	run, err := r.Cancel(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, backtest.Cancelled, run.State)
	require.NoError(t, r.Work(t.Context(), false))
	require.Equal(t, backtest.Cancelled, find(t, r, id).State)
	require.Zero(t, result(t, find(t, r, other)).Evaluated, "an empty log")
	run, err = r.Cancel(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, backtest.Done, run.State)
}

// cancelling is a log whose reading fails after the back-test was cancelled.
type cancelling struct {
	postgres.Reader
	cancel func()
}

func (c cancelling) Query(context.Context, string, ...any) (pgx.Rows, error) {
	c.cancel()
	return nil, errors.New("the log cannot be read")
}

func TestABacktestCancelledDuringItsLastAttemptStaysCancelled(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	id := request(t, r, d, `muted`)
	pgtest.Exec(t, d.Pool, `UPDATE core_backtests SET state = 'running', attempts = 2`)
	var cancelled backtest.Run
	fails := backtest.New(d.Pool, cancelling{d.Pool, func() {
		var err error
		cancelled, err = r.Cancel(context.Background(), id)
		require.NoError(t, err)
	}}, d.Clock)
	require.NoError(t, fails.Work(t.Context(), false))
	require.Equal(t, cancelled, find(t, r, id))
	require.Equal(t, backtest.Cancelled, cancelled.State)
}

// An event that cannot be read fails the back-test with its reason, and the next one is done.
func TestABacktestThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	d.File(t, 1, "1")
	d.Seal(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	id := request(t, r, d, `muted`)
	pgtest.Exec(t, d.Pool, `ALTER TABLE core_policy_strikes RENAME TO elsewhere`)
	require.Error(t, r.Work(t.Context(), false))
	require.Error(t, r.Work(t.Context(), false))
	require.NoError(t, r.Work(t.Context(), false), "the third is the last")
	run := find(t, r, id)
	require.Equal(t, backtest.Failed, run.State)
	require.Contains(t, *run.Error, "core_policy_strikes")
	require.NotNil(t, run.FinishedAt)
}

func TestABacktestIsComparedWithAVersionOfARule(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	store := rules.New(d.Pool, ledger.Ledger{Now: d.Clock})
	for _, when := range []string{`reporter.upheld == 1 || reporters == 1`, `muted`} {
		_, _, err := store.Publish(t.Context(), d.Users[0], rule.Content{Key: "old", Title: "Old", When: when, Then: rule.Then{Points: 1}})
		require.NoError(t, err)
	}
	first := d.File(t, 1, "1")
	d.Resolve(t, first, 0, report.ActionTaken)
	d.Seal(t)
	d.File(t, 1, "2")
	d.Seal(t)
	r := backtest.New(d.Pool, d.Pool, d.Clock)
	e, _ := rule.Parse(`reporter.upheld == 1`)
	var results []string
	for range 2 {
		run, err := r.Request(t.Context(), e, &rule.Ref{Key: "old", Version: 1}, nil, nil, d.Users[0])
		require.NoError(t, err)
		require.NoError(t, r.Work(t.Context(), false))
		run = find(t, r, run.ID)
		require.Equal(t, policy.Ref{Key: "old", Version: 1}, *run.Against)
		got := result(t, run)
		require.Equal(t, []int{1, 1, 0, 1}, []int{got.Matched, *got.Both, *got.OnlyNew, *got.OnlyOld})
		results = append(results, string(run.Result))
	}
	require.Equal(t, results[0], results[1], "the same bytes")
}
