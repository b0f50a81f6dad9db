package projections

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Work says who works on the reports within a coverage, and which of the unclaimed ones is the oldest.
type Work struct {
	Holders         []Holder   `json:"holders"` // those with the most claimed reports, most first
	HolderCount     int        `json:"holderCount"`
	OldestUnclaimed *Unclaimed `json:"oldestUnclaimed"`
}

// Holder is a moderator with the number of reports in progress that they have claimed.
type Holder struct {
	moderation.Person
	Reports int `json:"reports"`
}

// Unclaimed is a report that nobody has claimed.
type Unclaimed struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
}

// Work returns the work with at most limit of the holders, without reports by muted people. If
// there are many reports, the numbers may lag behind by a second.
func (p *Reports) Work(ctx context.Context, c permission.Coverage, limit int) (w Work, err error) {
	f := Filter{Statuses: []report.Status{report.InProgress}, Muted: new(bool)}
	var many bool
	if err := p.count(ctx, &many, &w.HolderCount)(kindsQuery(c, f, everything)); err != nil {
		return w, err
	}
	held := squirrel.Select("r.assignee_id AS id", "count(*) AS reports").From("core_moderation_reports r").LeftJoin(JoinTarget).Where(present.covered(c))
	if many {
		held = squirrel.Select("r.holder AS id", "sum(r.reports) AS reports").From("core_moderation_counts r").Where(kinds.covered(c))
	}
	w.HolderCount = 0
	w.Holders, err = postgres.CollectBuilt(ctx, p.Lists, "list holders", func(row pgx.CollectableRow) (h Holder, err error) {
		err = row.Scan(&h.ID, &h.Name, &h.Reports, &w.HolderCount)
		return h, err
	})(numbered(`SELECT h.id, u.name, h.reports, count(*) OVER () FROM (?) h JOIN core_users u ON u.id = h.id
		WHERE h.reports > 0 ORDER BY h.reports DESC, h.id LIMIT ?`, f.where(held).GroupBy("1"), limit))
	if err != nil {
		return w, err
	}
	f.Statuses[0] = report.New
	oldest, err := postgres.CollectBuilt(ctx, p.Lists, "find the oldest unclaimed report", pgx.RowToAddrOfStructByPos[Unclaimed])(
		f.where(psql.Select("r.id::text", "r.created_at").From("core_moderation_reports r")).LeftJoin(JoinTarget).
			Where(present.covered(c)).OrderBy("r.created_at", "r.id").Limit(1).ToSql())
	if len(oldest) > 0 {
		w.OldestUnclaimed = oldest[0]
	}
	return w, err
}
