package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Status is the state of a task.
type Status string

// The statuses of a task.
const (
	Pending    Status = "pending"
	Processing Status = "processing"
	Completed  Status = "completed"
	Failed     Status = "failed"
)

// Unhandled is a filter, not a status: tasks that are pending and have been due for an hour, and
// that no running server handles.
const Unhandled Status = "unhandled"

// Filters lists the filters of List.
var Filters = append(slices.Clip(Statuses), Unhandled)

// Statuses lists all statuses.
var Statuses = []Status{Pending, Processing, Completed, Failed}

// Summary is a task in the admin list, without its payload, which may be confidential.
type Summary struct {
	ID          string       `json:"id"`
	PluginID    string       `json:"pluginId"`
	Name        string       `json:"name"`
	Queue       string       `json:"queue"`
	Status      Status       `json:"status"`
	Priority    int16        `json:"priority"`
	Attempts    int32        `json:"attempts"`
	MaxAttempts int32        `json:"maxAttempts"`
	AvailableAt domain.Time  `json:"availableAt"`
	LockedUntil *domain.Time `json:"lockedUntil"`
	LastError   *string      `json:"lastError"`
	CreatedAt   domain.Time  `json:"createdAt"`
	CompletedAt *domain.Time `json:"completedAt"`
}

// Paging orders the list of tasks. Each ordering has an index.
var Paging = paging.List{
	Orderings: []paging.Ordering{
		{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "availableAt", Expr: "available_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "id", Kind: paging.UUID},
}

const summaryColumns = "id::text, plugin_id, name, queue, status, priority, attempts, max_attempts, " +
	"available_at, locked_until, last_error, created_at, completed_at"

// List returns a page of tasks. No statuses means all.
func (q *Queue) List(ctx context.Context, r paging.Request, statuses ...Status) (paging.Page[Summary], error) {
	b := squirrel.Select(summaryColumns).From("core_queue").Where("true").PlaceholderFormat(squirrel.Dollar)
	if len(statuses) > 0 {
		wanted := squirrel.Or{squirrel.Eq{"status": statuses}}
		if slices.Contains(statuses, Unhandled) {
			wanted = append(wanted, squirrel.Expr(isUnhandled))
		}
		b = b.Where(wanted)
	}
	sql, args, err := b.ToSql()
	if err != nil {
		return paging.Page[Summary]{}, fmt.Errorf("list tasks: %w", err)
	}
	return sqlpage.List[Summary]{Task: "list tasks", SQL: sql, Args: args, Scan: pgx.RowToStructByPos[Summary],
		Key: func(s Summary) paging.Position {
			if r.OrderBy() == "availableAt" {
				return paging.At(time.Time(s.AvailableAt), s.ID)
			}
			return paging.At(time.Time(s.CreatedAt), s.ID)
		}}.Read(ctx, q.pool, r)
}

// Unfinished returns the payloads of the pending and processing tasks of a name. It reads the index
// core_queue_by_status.
func (q *Queue) Unfinished(ctx context.Context, name string) ([]json.RawMessage, error) {
	return postgres.Collect(ctx, q.pool, "find unfinished tasks", pgx.RowTo[json.RawMessage],
		`SELECT payload FROM core_queue WHERE status IN ('pending', 'processing') AND name = $1`, name)
}

// Open counts the tasks that are not completed, by status; unhandled ones also count as pending. It
// reads the index core_queue_by_status.
func (q *Queue) Open(ctx context.Context) (map[Status]int64, error) {
	counts := map[Status]int64{Pending: 0, Processing: 0, Failed: 0, Unhandled: 0}
	var status Status
	var n, unhandled int64
	err := postgres.ForEach(ctx, q.pool, "count tasks", []any{&status, &n, &unhandled}, func() error {
		counts[status] = n
		counts[Unhandled] += unhandled
		return nil
	}, `SELECT status, count(*), count(*) FILTER (WHERE `+isUnhandled+`)
		FROM core_queue WHERE status IN ('pending', 'processing', 'failed') GROUP BY status`)
	return counts, err
}
