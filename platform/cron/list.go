package cron

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Summary is a job in the admin list.
type Summary struct {
	ID          string
	PluginID    string
	Module      string
	Name        string
	Description string
	Schedule    string
	LastRun     *time.Time
	NextRun     *time.Time // the job is due from then on; null if its schedule never matches
	CreatedAt   time.Time
}

// Key identifies the job.
func (s Summary) Key() string { return Job{PluginID: s.PluginID, Module: s.Module, Name: s.Name}.Key() }

const summaryColumns = "id::text, plugin_id, module, name, description, schedule, last_run, next_run, created_at"

// Paging orders the list of jobs. An index serves each ordering.
var Paging = paging.List{
	Orderings: []paging.Ordering{
		{Name: "lastRun", Expr: "last_run", Kind: paging.Time, Default: paging.Desc, Nullable: true},
		{Name: "nextRun", Expr: "next_run", Kind: paging.Time, Nullable: true},
		{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "id", Kind: paging.UUID},
}

// List returns a page of jobs.
func (c *Cron) List(ctx context.Context, r paging.Request) (paging.Page[Summary], error) {
	key := func(s Summary) paging.Position {
		value := paging.TimeValue(s.CreatedAt)
		switch r.OrderBy() {
		case "lastRun":
			value = paging.NullTimeValue(s.LastRun)
		case "nextRun":
			value = paging.NullTimeValue(s.NextRun)
		}
		return paging.Position{Value: value, ID: paging.UUIDValue(s.ID)}
	}
	return sqlpage.List[Summary]{Task: "list scheduled jobs", SQL: "SELECT " + summaryColumns + " FROM core_cron WHERE true",
		Scan: pgx.RowToStructByPos[Summary], Key: key}.Read(ctx, c.pool, r)
}
