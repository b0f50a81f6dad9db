package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Holder is a moderator with the number of reports in progress that they hold.
type Holder struct {
	moderation.Person
	Reports int `json:"reports"`
}

// Unclaimed is a report that nobody has claimed.
type Unclaimed struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
}

// Holders returns who holds most of the reports that the coverage reaches, and how many hold
// any. If there are many reports, it may lag behind by a second. Here and in OldestUnclaimed,
// reports by muted people are left out.
func (p *Reports) Holders(ctx context.Context, c permission.Coverage, limit int) (most []Holder, all int, err error) {
	f := Filter{Statuses: []report.Status{report.InProgress}, Muted: new(bool)}
	var many bool
	var reports int
	if err := p.count(ctx, &many, &reports)(kindsQuery(c, f, everything)); err != nil {
		return nil, 0, err
	}
	held := squirrel.Select("r.assignee_id AS id", "count(*) AS reports").From("core_moderation_reports r").LeftJoin(joinTarget).Where(present.covered(c))
	if many {
		held = squirrel.Select("r.holder AS id", "sum(r.reports) AS reports").From("core_moderation_counts r").Where(kinds.covered(c))
	}
	sql, args, err := numbered(`SELECT h.id, u.name, h.reports, count(*) OVER () FROM (?) h JOIN core_users u ON u.id = h.id
		WHERE h.reports > 0 ORDER BY h.reports DESC, h.id LIMIT ?`, f.where(held).GroupBy("1"), limit)
	if err != nil {
		return nil, 0, fmt.Errorf("list holders: %w", err)
	}
	most, err = postgres.Collect(ctx, p.Lists, "list holders", func(row pgx.CollectableRow) (h Holder, err error) {
		err = row.Scan(&h.ID, &h.Name, &h.Reports, &all)
		return h, err
	}, sql, args...)
	return most, all, err
}

// OldestUnclaimed returns the unclaimed report that has waited longest of those that the
// coverage reaches, or nil.
func (p *Reports) OldestUnclaimed(ctx context.Context, c permission.Coverage) (*Unclaimed, error) {
	f := Filter{Statuses: []report.Status{report.New}, Muted: new(bool)}
	sql, args, err := f.where(psql.Select("r.id::text", "r.created_at").From("core_moderation_reports r")).LeftJoin(joinTarget).
		Where(present.covered(c)).OrderBy("r.created_at", "r.id").Limit(1).ToSql()
	if err != nil {
		return nil, fmt.Errorf("find the oldest unclaimed report: %w", err)
	}
	first, err := postgres.Collect(ctx, p.Lists, "find the oldest unclaimed report", pgx.RowToAddrOfStructByPos[Unclaimed], sql, args...)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	return first[0], nil
}
