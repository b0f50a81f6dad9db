// Package statistics counts reports and their outcomes by target, by reporter and by day.
// It is not for import.
package statistics

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// Reader reads statistics within a coverage: records of targets and reporters by the present scope of each target,
// daily figures by the scope that the target had at the event. They may lag behind commands by a second.
type Reader struct{ db postgres.Reader }

// NewReader returns a Reader of the database.
func NewReader(db postgres.Reader) *Reader { return &Reader{db: db} }

// Projections are the projections that a Reader reads.
var Projections = []projector.Projection{targetSummary, reporterRecord, dailyFigures, policyFigures}

var psql = squirrel.StatementBuilder.PlaceholderFormat(squirrel.Dollar)

// Record counts the reports by an account or of a target, and their outcomes.
type Record struct {
	Filed     int64 `json:"filed"`
	Open      int64 `json:"open"` // not done
	Upheld    int64 `json:"upheld"`
	NotUpheld int64 `json:"notUpheld"`
	Duplicate int64 `json:"duplicate"`
}

// TargetRecord is a Record with the number of content actions.
type TargetRecord struct {
	Record
	Actions int64 `json:"actions"`
}

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

// inPresentScope restricts the query to rows r of a table whose target is within the coverage by its present scope.
func inPresentScope(b squirrel.SelectBuilder, table string, c permission.Coverage) squirrel.SelectBuilder {
	return b.From(table + " r").LeftJoin(projections.JoinTarget).Where(projections.PresentWithin(c))
}

const recordSums = `coalesce(sum(r.filed), 0)::bigint, coalesce(sum(r.open), 0)::bigint, coalesce(sum(r.upheld), 0)::bigint,
	coalesce(sum(r.not_upheld), 0)::bigint, coalesce(sum(r.duplicate), 0)::bigint`

// Reporter returns the record of an account, zero if it filed nothing. It reads the primary key of the projection if
// the coverage is unrestricted. Otherwise it counts the account's reports, by an index, since each target's present
// scope decides.
func (s *Reader) Reporter(ctx context.Context, c permission.Coverage, userID string) (r Record, err error) {
	narrowed := func(m permission.ModuleCoverage) bool { return !m.Whole }
	if c.Blind == nil && (c.All || !slices.ContainsFunc(c.Modules, narrowed)) {
		err = s.scan(ctx, reporterRecord, func(table string) squirrel.SelectBuilder {
			return psql.Select(recordSums).From(table + " r").Where(projections.FiledWithin(c)).Where(squirrel.Eq{"r.reporter_id": userID})
		}, &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate)
		return r, err
	}
	err = postgres.ScanBuilt(ctx, s.db, "read the record of a reporter", &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate)(inPresentScope(psql.Select("count(*)", "count(*) FILTER (WHERE r.status <> 'done')", "count(*) FILTER (WHERE r.resolution = 'action_taken')",
		"count(*) FILTER (WHERE r.resolution = 'no_violation')", "count(*) FILTER (WHERE r.resolution = 'duplicate')"), "core_moderation_reports", c).
		Where(squirrel.Eq{"r.reporter_id": userID}).ToSql())
	return r, err
}

// Target returns the record of a target, zero if nobody reported it. It reads the primary
// key.
func (s *Reader) Target(ctx context.Context, c permission.Coverage, pluginID, targetType, targetID string) (TargetRecord, error) {
	var r TargetRecord
	err := s.scan(ctx, targetSummary, func(table string) squirrel.SelectBuilder {
		return inPresentScope(psql.Select(recordSums, "coalesce(sum(r.actions), 0)::bigint"), table, c).
			Where(squirrel.Eq{"r.plugin_id": pluginID, "r.target_type": targetType, "r.target_id": targetID})
	}, &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate, &r.Actions)
	return r, err
}

// scan runs a query for one row on the projection's table. If the projection is not built yet, it does not set the
// destinations.
func (s *Reader) scan(ctx context.Context, p projector.Counted, query func(table string) squirrel.SelectBuilder, into ...any) error {
	table, err := projector.ReadTable(ctx, s.db, p)
	if errors.Is(err, projector.ErrNotBuilt) {
		return nil
	}
	if err != nil {
		return err
	}
	return postgres.ScanBuilt(ctx, s.db, "read projection "+p.Name, into...)(query(table).ToSql())
}
