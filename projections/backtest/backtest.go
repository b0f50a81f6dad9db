// Package backtest runs an expression of domain/rule over the log, to count what it would have matched and how that was
// decided. A task does it, one back-test at a time on all servers. Other modules must not import it.
package backtest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
	"github.com/docketmod/docket/platform/queue"
)

// State is the state of a back-test.
type State string

// The states of a back-test. The last three are final.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Run is a requested back-test.
type Run struct {
	ID          string          `json:"id"`
	When        string          `json:"when"`
	Against     *policy.Ref     `json:"against"` // the version of a rule that When is compared with; nil without a comparison
	Since       *domain.Time    `json:"since"`   // of the filings
	Until       *domain.Time    `json:"until"`   // exclusive
	State       State           `json:"state"`
	Done        int64           `json:"done"`        // positions of the log
	Total       int64           `json:"total"`       // 0 until it is known
	Result      json.RawMessage `json:"result"`      // rule.Result; nil until it is done
	Error       *string         `json:"error"`       // of the last attempt
	RequestedBy string          `json:"requestedBy"` // account
	RequestedAt domain.Time     `json:"requestedAt"`
	StartedAt   *domain.Time    `json:"startedAt"`
	FinishedAt  *domain.Time    `json:"finishedAt"`
}

const columns = `id::text, expression, CASE WHEN against_key IS NOT NULL THEN jsonb_build_object('key', against_key, 'version', against_version) END,
	since, until, state, done, total, result, error, requested_by::text, requested_at, started_at, finished_at`

// Runs stores back-tests and executes them.
type Runs struct {
	pool  *pgxpool.Pool
	log   postgres.Reader // a replica, if there is one
	locks *sessionlock.Locks
	now   func() time.Time
}

// New returns Runs that read the log through log.
func New(pool *pgxpool.Pool, log postgres.Reader, now func() time.Time) *Runs {
	return &Runs{pool: pool, log: log, locks: sessionlock.New(pool.Config().ConnConfig), now: now}
}

// The limits of back-tests.
const (
	kept        = 200 // finished ones, the newest
	maxUnended  = 20
	maxAttempts = 3
)

// Request enqueues a back-test and returns it. Unless against is nil, it is compared with that version of a rule, which
// must exist. If 20 back-tests have not ended, it returns rate_limited.
func (r *Runs) Request(ctx context.Context, when *rule.Expression, against *rule.Ref, since, until *time.Time, userID string) (run Run, err error) {
	var key *string
	var version *int
	if against != nil {
		key, version = &against.Key, &against.Version
	}
	err = pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		waiting, err := postgres.CollectOne(ctx, tx, "count back-tests", pgx.RowTo[int], `SELECT count(*) FROM core_backtests WHERE state IN ('queued', 'running')`)
		if err != nil {
			return err
		}
		if waiting >= maxUnended {
			return &domain.Error{Code: domain.CodeRateLimited, RetryAfter: time.Minute,
				Message: fmt.Sprintf("%d back-tests wait already. Cancel one, or try again later.", waiting)}
		}
		if err := postgres.Exec(ctx, tx, "forget old back-tests", `DELETE FROM core_backtests WHERE state NOT IN ('queued', 'running')
			AND requested_at < (SELECT requested_at FROM core_backtests ORDER BY requested_at DESC OFFSET $1 LIMIT 1)`, kept); err != nil {
			return err
		}
		run, err = postgres.CollectOne(ctx, tx, "store the back-test", pgx.RowToStructByPos[Run],
			`INSERT INTO core_backtests (id, expression, since, until, against_key, against_version, requested_by, requested_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING `+columns,
			uuid.Must(uuid.NewV7()), when.Text(), since, until, key, version, userID, r.now())
		if err != nil {
			return err
		}
		return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: taskName, Queue: queue.Long, Payload: struct{}{}, MaxAttempts: maxAttempts * maxUnended})
	})
	return run, err
}

// Find returns a back-test, or NotFound.
func (r *Runs) Find(ctx context.Context, id string) (Run, error) {
	return postgres.CollectFound(ctx, r.pool, "find the back-test", pgx.RowToStructByPos[Run], `SELECT `+columns+` FROM core_backtests WHERE id = $1`, id)
}

// Cancel ends a back-test unless it has already ended, and returns it, or NotFound.
func (r *Runs) Cancel(ctx context.Context, id string) (Run, error) {
	if err := postgres.Exec(ctx, r.pool, "cancel the back-test", `UPDATE core_backtests SET state = 'cancelled', finished_at = $2
		WHERE id = $1 AND state IN ('queued', 'running')`, id, r.now()); err != nil {
		return Run{}, err
	}
	return r.Find(ctx, id)
}

// newest is how many back-tests Newest returns.
const newest = 20

// Newest returns the newest back-tests.
func (r *Runs) Newest(ctx context.Context) ([]Run, error) {
	return postgres.Collect(ctx, r.pool, "list back-tests", pgx.RowToStructByPos[Run], `SELECT `+columns+` FROM core_backtests ORDER BY requested_at DESC, id DESC LIMIT $1`, newest)
}
