package backtest

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/queue"
	rulestore "github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/projections/rules"
)

const (
	taskName = "rules.backtest"
	// limit bounds one attempt, which runs all waiting back-tests.
	limit = 12 * time.Hour
	// patience is longer than PostgreSQL holds the lock of a machine that vanished (30 s).
	patience = 45 * time.Second
)

// Handle registers the task that runs back-tests.
func (r *Runs) Handle(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, taskName, queue.Handler{Limit: limit, Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, _ struct{}) error {
		return r.Work(ctx, a.Number > 1)
	})})
}

// errCancelled means that somebody cancelled the back-test.
var errCancelled = errors.New("cancelled")

var errInterrupted = fmt.Errorf("its server ended in each of %d attempts", maxAttempts)

// Work runs the back-tests that have not ended, the oldest first, unless another server does. That one looks for more
// before it stops, and its own task is retried if it is killed. If again is set, a server that is gone may still hold
// the lock, so Work waits for it and finally returns an error.
func (r *Runs) Work(ctx context.Context, again bool) error {
	wait := time.Duration(0)
	if again {
		wait = patience
	}
	for {
		if err := r.workAll(ctx, wait); err != nil {
			if errors.Is(err, sessionlock.ErrTaken) && !again {
				return nil
			}
			return err
		}
		// A back-test may have been requested while this server still held the lock.
		if run, err := r.next(ctx); err != nil || run == nil {
			return err
		}
	}
}

func (r *Runs) workAll(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lock, err := r.locks.Acquire(ctx, "docket:backtests", wait, func() { cancel(sessionlock.ErrLost) })
	if err != nil {
		return err
	}
	defer lock.Release()
	for {
		run, err := r.next(ctx)
		if err != nil || run == nil {
			return err
		}
		if err := r.do(ctx, *run); err != nil {
			return err
		}
	}
}

// next returns the oldest back-test that has not ended, or nil.
func (r *Runs) next(ctx context.Context) (*Run, error) {
	return postgres.CollectFirst(ctx, r.pool, "find the next back-test", pgx.RowToStructByPos[Run],
		`SELECT `+columns+` FROM core_backtests WHERE state IN ('queued', 'running') ORDER BY requested_at, id LIMIT 1`)
}

// do runs one back-test. It returns the error of an attempt, so that the queue retries; the last error is stored with
// the back-test, which has then failed. An attempt counts from its start, since the back-test may crash its server.
func (r *Runs) do(ctx context.Context, run Run) error {
	attempt, err := postgres.CollectFirst(ctx, r.pool, "begin back-test "+run.ID, pgx.RowTo[int],
		`UPDATE core_backtests SET attempts = attempts + 1 WHERE id = $1 AND state IN ('queued', 'running') RETURNING attempts`, run.ID)
	if err != nil || attempt == nil { // cancelled
		return err
	}
	var encoded []byte
	if err = errInterrupted; *attempt <= maxAttempts {
		var result rule.Result
		if result, err = r.result(ctx, run); err == nil {
			encoded, err = json.Marshal(result)
		}
	}
	switch {
	case errors.Is(err, errCancelled):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return postgres.Exec(ctx, r.pool, "store the result of back-test "+run.ID, `UPDATE core_backtests
			SET state = 'done', done = total, result = $2, error = NULL, finished_at = $3 WHERE id = $1 AND state = 'running'`, run.ID, encoded, r.now())
	}
	failed, storing := postgres.CollectFirst(ctx, r.pool, "store the error of back-test "+run.ID, pgx.RowTo[bool], `UPDATE core_backtests
		SET error = $2, state = CASE WHEN attempts < $3 THEN state ELSE 'failed' END,
		finished_at = CASE WHEN attempts < $3 THEN finished_at ELSE $4 END
		WHERE id = $1 AND state IN ('queued', 'running') RETURNING state = 'failed'`, run.ID, err.Error(), maxAttempts, r.now())
	if storing == nil && (failed == nil || *failed) { // nil: cancelled
		return nil // the others wait
	}
	return errors.Join(fmt.Errorf("back-test %s: %w", run.ID, err), storing)
}

// result evaluates the log up to its present end.
func (r *Runs) result(ctx context.Context, run Run) (rule.Result, error) {
	when, issues := rule.Parse(run.When)
	if issues != nil {
		return rule.Result{}, fmt.Errorf("the expression is no longer valid: %s", issues[0].Message)
	}
	strikes, err := rules.Strikes(ctx, r.log)
	if err != nil {
		return rule.Result{}, err
	}
	through, err := eventstore.LastPosition(ctx, r.log)
	if err != nil {
		return rule.Result{}, err
	}
	against, err := r.against(ctx, run)
	if err != nil {
		return rule.Result{}, err
	}
	b := rule.Backtest{When: when, Against: against, Since: (*time.Time)(run.Since), Until: (*time.Time)(run.Until), History: rule.NewHistory(strikes)}
	progress := func(done int64) error { return r.progress(ctx, run.ID, done, through) }
	err = eventstore.InPieces(ctx, through, progress, func(after, through int64) error {
		return rules.Each(ctx, r.log, after, through, func(t *rules.Told) error {
			runtime.Gosched()
			t.FoldInto(&b)
			return nil
		})
	})
	if err != nil {
		return rule.Result{}, err
	}
	result := b.Result()
	result.ThroughPosition = through
	root, err := proof.RootAt(ctx, r.log, through)
	result.RootHash = hex.EncodeToString(root)
	return result, err
}

// against returns the condition to compare with, or nil.
func (r *Runs) against(ctx context.Context, run Run) (*rule.Expression, error) {
	if run.Against == nil {
		return nil, nil
	}
	one, err := rulestore.Find(ctx, r.pool, rule.Ref(*run.Against))
	if err != nil {
		return nil, err
	}
	e, issues := rule.Parse(one.When)
	if issues != nil {
		return nil, fmt.Errorf("version %d of %s is no longer valid: %s", one.Version, one.Key, issues[0].Message)
	}
	return e, nil
}

// progress stores the progress of a back-test, and returns errCancelled if it was cancelled.
func (r *Runs) progress(ctx context.Context, id string, done, total int64) error {
	tag, err := r.pool.Exec(ctx, `UPDATE core_backtests SET state = 'running', started_at = coalesce(started_at, $4), done = $2, total = $3
		WHERE id = $1 AND state IN ('queued', 'running')`, id, done, total, r.now())
	if err != nil {
		return fmt.Errorf("store the progress: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errCancelled
	}
	return nil
}
