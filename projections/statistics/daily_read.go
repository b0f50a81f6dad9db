package statistics

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// Day has the figures of one day, in UTC.
type Day struct {
	Day string `json:"day"`
	Figures
}

// Figures count events. The means are in seconds from filing, null if there was nothing to measure.
type Figures struct {
	Opened       int64    `json:"opened"`
	FirstActions int64    `json:"firstActions"`
	FirstAction  *float64 `json:"meanSecondsToFirstAction"`
	Decided      int64    `json:"decided"`
	Upheld       int64    `json:"upheld"`
	NotUpheld    int64    `json:"notUpheld"`
	Duplicate    int64    `json:"duplicate"`
	Decision     *float64 `json:"meanSecondsToDecision"`
	Reopened     int64    `json:"reopened"`
	Actions      int64    `json:"actions"`

	AppealsOpened     int64    `json:"appealsOpened"`
	AppealsUpheld     int64    `json:"appealsUpheld"`
	AppealsOverturned int64    `json:"appealsOverturned"`
	AppealDecision    *float64 `json:"meanSecondsToAppealDecision"` // from the appeal

	DeadlinesKept   int64 `json:"deadlinesKept"`
	DeadlinesMissed int64 `json:"deadlinesMissed"`
}

// DayFilter narrows the daily figures. An empty PluginID or TargetType selects all.
type DayFilter struct {
	Since, Until time.Time // whole days in UTC, both included
	PluginID     string
	TargetType   string
}

// How many days of figures a request covers by default, and at most.
const (
	DefaultDays = 30
	MaxDays     = 731
)

// sums sums the counters of a projection by day, for each value of a column, in order. It reads the primary key from
// the first day, and returns nil before anything is built. For a caller who gives a second opinion, it leaves out the
// days with events on that content after it was reported, which could reveal the decision.
func (s *Reader) sums(ctx context.Context, p projector.Counted, column string, c permission.Coverage, f DayFilter) (pgx.Rows, error) {
	table, err := projector.ReadTable(ctx, s.db, p)
	if errors.Is(err, projector.ErrNotBuilt) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	q := psql.Select(column).From(table+" r").Where(projections.FiledWithin(c)).GroupBy("1").OrderBy("1").
		Where("r.day BETWEEN ?::date AND ?::date", f.Since.Format(time.DateOnly), f.Until.Format(time.DateOnly))
	if b := c.Blind; b != nil {
		q = q.Where(`r.day <> ALL (ARRAY(SELECT (e.occurred_at AT TIME ZONE 'UTC')::date FROM core_moderation_reports o JOIN core_moderation_report_events e ON e.report_id = o.id
			WHERE o.plugin_id = ? AND o.target_type = ? AND o.target_id = ? AND e.type <> 'created'))`, b.PluginID, b.TargetType, b.TargetID)
	}
	for _, counter := range p.Counters {
		q = q.Column("sum(r." + counter + ")::bigint")
	}
	for column, value := range map[string]string{"r.plugin_id": f.PluginID, "r.target_type": f.TargetType} {
		if value != "" {
			q = q.Where(squirrel.Eq{column: value})
		}
	}
	sql, args, err := q.ToSql()
	if err != nil {
		return nil, fmt.Errorf("read the figures of days: %w", err)
	}
	rows, err := s.db.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read the figures of days: %w", err)
	}
	return rows, nil
}

// Daily returns the figures of each day that has any, oldest first, and their total.
func (s *Reader) Daily(ctx context.Context, c permission.Coverage, f DayFilter) (days []Day, total Figures, err error) {
	days = []Day{}
	rows, err := s.sums(ctx, dailyFigures, "r.day::text", c, f)
	if rows == nil || err != nil {
		return days, total, err
	}
	var first, decision, appeal, allFirst, allDecision, allAppeal int64
	var d Day
	_, err = pgx.ForEachRow(rows, []any{&d.Day, &d.Opened, &d.FirstActions, &first, &d.Decided, &d.Upheld, &d.NotUpheld, &d.Duplicate,
		&decision, &d.Reopened, &d.Actions, &d.AppealsOpened, &d.AppealsUpheld, &d.AppealsOverturned, &appeal, &d.DeadlinesKept, &d.DeadlinesMissed}, func() error {
		d.FirstAction, d.Decision = mean(first, d.FirstActions), mean(decision, d.Decided)
		d.AppealDecision = mean(appeal, d.AppealsUpheld+d.AppealsOverturned)
		total.add(d.Figures)
		allFirst, allDecision, allAppeal = allFirst+first, allDecision+decision, allAppeal+appeal
		days = append(days, d)
		return nil
	})
	if err != nil {
		return nil, total, fmt.Errorf("read daily figures: %w", err)
	}
	total.FirstAction, total.Decision = mean(allFirst, total.FirstActions), mean(allDecision, total.Decided)
	total.AppealDecision = mean(allAppeal, total.AppealsUpheld+total.AppealsOverturned)
	return days, total, nil
}

func (f *Figures) add(o Figures) {
	f.Opened += o.Opened
	f.FirstActions += o.FirstActions
	f.Decided += o.Decided
	f.Upheld += o.Upheld
	f.NotUpheld += o.NotUpheld
	f.Duplicate += o.Duplicate
	f.Reopened += o.Reopened
	f.Actions += o.Actions
	f.AppealsOpened += o.AppealsOpened
	f.AppealsUpheld += o.AppealsUpheld
	f.AppealsOverturned += o.AppealsOverturned
	f.DeadlinesKept += o.DeadlinesKept
	f.DeadlinesMissed += o.DeadlinesMissed
}

func mean(sum, n int64) *float64 {
	if n == 0 {
		return nil
	}
	return new(float64(sum) / float64(n))
}
