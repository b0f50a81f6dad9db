package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/permission"
)

// Stats answers questions from the asynchronous projections, each within what a
// coverage reaches, by the scope that targets had when they were reported.
type Stats struct{ pool *pgxpool.Pool }

// NewStats reads through the pool.
func NewStats(pool *pgxpool.Pool) *Stats { return &Stats{pool: pool} }

// Record is what became of somebody's reports, or of a target's.
type Record struct {
	Filed     int64 `json:"filed"`
	Open      int64 `json:"open"` // not done
	Upheld    int64 `json:"upheld"`
	NotUpheld int64 `json:"notUpheld"`
	Duplicate int64 `json:"duplicate"`
}

// TargetRecord is a Record with the content actions that were taken.
type TargetRecord struct {
	Record
	Actions int64 `json:"actions"`
}

// Day is what happened on one day, in UTC.
type Day struct {
	Day string `json:"day"`
	Figures
}

// Figures count what happened. The means are in seconds from filing, null when
// there was nothing to measure.
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
}

// DayFilter narrows the daily figures; zero fields do not.
type DayFilter struct {
	Since, Until time.Time // whole days in UTC, both included
	PluginID     string
	TargetType   string
}

// inScope selects from a projected table what is covered.
func inScope(b squirrel.SelectBuilder, table string, c permission.Coverage) squirrel.SelectBuilder {
	return b.From(table + " r").Where(filed.covered(c))
}

const recordSums = `coalesce(sum(r.filed), 0)::bigint, coalesce(sum(r.open), 0)::bigint, coalesce(sum(r.upheld), 0)::bigint,
	coalesce(sum(r.not_upheld), 0)::bigint, coalesce(sum(r.duplicate), 0)::bigint`

// Reporter is the record of an account; zero for one that filed nothing. It
// reads the primary key.
func (s *Stats) Reporter(ctx context.Context, c permission.Coverage, userID string) (Record, error) {
	var r Record
	err := s.one(ctx, reporterRecord, func(table string) squirrel.SelectBuilder {
		return inScope(psql.Select(recordSums), table, c).Where(squirrel.Eq{"r.reporter_id": userID})
	}, &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate)
	return r, err
}

// Target is the record of a target; zero for one that nobody reported. It reads
// the primary key.
func (s *Stats) Target(ctx context.Context, c permission.Coverage, pluginID, targetType, targetID string) (TargetRecord, error) {
	var r TargetRecord
	err := s.one(ctx, targetSummary, func(table string) squirrel.SelectBuilder {
		return inScope(psql.Select(recordSums, "coalesce(sum(r.actions), 0)::bigint"), table, c).
			Where(squirrel.Eq{"r.plugin_id": pluginID, "r.target_type": targetType, "r.target_id": targetID})
	}, &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate, &r.Actions)
	return r, err
}

func (s *Stats) one(ctx context.Context, p Projection, query func(table string) squirrel.SelectBuilder, into ...any) error {
	table, err := readTable(ctx, s.pool, p)
	if errors.Is(err, ErrNotBuilt) {
		return nil
	}
	if err != nil {
		return err
	}
	sql, args, err := query(table).ToSql()
	if err == nil {
		err = s.pool.QueryRow(ctx, sql, args...).Scan(into...)
	}
	if err != nil {
		return fmt.Errorf("read projection %s: %w", p.Name, err)
	}
	return nil
}

// Daily gives the figures of each day on which anything happened, oldest first,
// and those of all these days. It reads the primary key from the first day.
func (s *Stats) Daily(ctx context.Context, c permission.Coverage, f DayFilter) (days []Day, total Figures, err error) {
	days = []Day{}
	table, err := readTable(ctx, s.pool, dailyFigures)
	if errors.Is(err, ErrNotBuilt) {
		return days, total, nil
	}
	if err != nil {
		return nil, total, err
	}
	q := inScope(psql.Select("r.day::text"), table, c).GroupBy("r.day").OrderBy("r.day").
		Where("r.day BETWEEN ?::date AND ?::date", f.Since.Format(time.DateOnly), f.Until.Format(time.DateOnly))
	for _, counter := range dailyFigures.counters {
		q = q.Column("sum(r." + counter + ")::bigint")
	}
	for column, value := range map[string]string{"r.plugin_id": f.PluginID, "r.target_type": f.TargetType} {
		if value != "" {
			q = q.Where(squirrel.Eq{column: value})
		}
	}
	sql, args, err := q.ToSql()
	if err != nil {
		return nil, total, fmt.Errorf("read daily figures: %w", err)
	}
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, total, fmt.Errorf("read daily figures: %w", err)
	}
	var first, decision, allFirst, allDecision int64
	var d Day
	_, err = pgx.ForEachRow(rows, []any{&d.Day, &d.Opened, &d.FirstActions, &first, &d.Decided, &d.Upheld, &d.NotUpheld, &d.Duplicate,
		&decision, &d.Reopened, &d.Actions}, func() error {
		d.FirstAction, d.Decision = mean(first, d.FirstActions), mean(decision, d.Decided)
		total.add(d.Figures)
		allFirst, allDecision = allFirst+first, allDecision+decision
		days = append(days, d)
		return nil
	})
	if err != nil {
		return nil, total, fmt.Errorf("read daily figures: %w", err)
	}
	total.FirstAction, total.Decision = mean(allFirst, total.FirstActions), mean(allDecision, total.Decided)
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
}

func mean(sum, n int64) *float64 {
	if n == 0 {
		return nil
	}
	m := float64(sum) / float64(n)
	return &m
}
