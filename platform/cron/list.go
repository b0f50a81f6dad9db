package cron

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// Summary is a job in the admin list.
type Summary struct {
	ID          string       `json:"id"`
	PluginID    string       `json:"pluginId"`
	Module      string       `json:"module"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Schedule    string       `json:"schedule"`
	LastRun     *domain.Time `json:"lastRun"`
	NextRun     *domain.Time `json:"nextRun"` // the job is due from then on; null if its schedule never matches
	CreatedAt   domain.Time  `json:"createdAt"`
}

// Paging orders the list of jobs. Each ordering has an index.
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
		value := paging.TimeValue(time.Time(s.CreatedAt))
		switch r.OrderBy() {
		case "lastRun":
			value = paging.NullTimeValue((*time.Time)(s.LastRun))
		case "nextRun":
			value = paging.NullTimeValue((*time.Time)(s.NextRun))
		}
		return paging.Position{Value: value, ID: paging.UUIDValue(s.ID)}
	}
	return sqlpage.List[Summary]{Task: "list scheduled jobs", Scan: pgx.RowToStructByPos[Summary], Key: key,
		SQL: "SELECT id::text, plugin_id, module, name, description, schedule, last_run, next_run, created_at FROM core_cron WHERE true"}.Read(ctx, c.pool, r)
}
