package cron

import (
	"context"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
)

// Summary is a job as the admin list shows it.
type Summary struct {
	ID          string
	PluginID    string
	Module      string
	Name        string
	Description string
	Schedule    string
	LastRun     *time.Time
	NextRun     *time.Time // due from then on; null: its schedule never comes up
	CreatedAt   time.Time
}

// Key is what the job is known by.
func (s Summary) Key() string { return Job{PluginID: s.PluginID, Module: s.Module, Name: s.Name}.Key() }

const summaryColumns = "id::text, plugin_id, module, name, description, schedule, last_run, next_run, created_at"

// Paging is how the list of jobs pages, by the indexes of the columns' names.
var Paging = paging.List{
	Orderings: []paging.Ordering{
		{Name: "lastRun", Expr: "last_run", Kind: paging.Time, Default: paging.Desc, Nullable: true},
		{Name: "nextRun", Expr: "next_run", Kind: paging.Time, Nullable: true},
		{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "id", Kind: paging.UUID},
}

// List gives a page of jobs.
func (c *Cron) List(ctx context.Context, r paging.Request) (paging.Page[Summary], error) {
	sql, args, err := r.Apply(squirrel.Select(summaryColumns).From("core_cron").PlaceholderFormat(squirrel.Dollar)).ToSql()
	if err != nil {
		return paging.Page[Summary]{}, fmt.Errorf("list scheduled jobs: %w", err)
	}
	rows, err := c.pool.Query(ctx, sql, args...)
	if err != nil {
		return paging.Page[Summary]{}, fmt.Errorf("list scheduled jobs: %w", err)
	}
	jobs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Summary])
	if err != nil {
		return paging.Page[Summary]{}, fmt.Errorf("list scheduled jobs: %w", err)
	}
	return paging.NewPage(jobs, r, func(s Summary) paging.Position {
		value := paging.TimeValue(s.CreatedAt)
		switch r.OrderBy() {
		case "lastRun":
			value = paging.NullTimeValue(s.LastRun)
		case "nextRun":
			value = paging.NullTimeValue(s.NextRun)
		}
		return paging.Position{Value: value, ID: paging.UUIDValue(s.ID)}
	}), nil
}
