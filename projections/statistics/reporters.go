package statistics

import (
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// reporterRecord counts in core_projected_reporters the reports that each account filed and their outcomes. A deleted
// account has no row, since its reports no longer say who filed them.
var reporterRecord = projector.Counted{
	Name: "reporters", Version: 1,
	Keys:     []projector.Column{{Name: "reporter_id", Type: "uuid"}},
	Counters: []string{"filed", "open", "upheld", "not_upheld", "duplicate"},
	Count: func(s projector.Step) []projector.Addition {
		var out []projector.Addition
		if id := s.After.ReporterID; id != nil {
			out = append(out, projector.Add(s.After.Target, []string{*id}, recordCounters(s.After.State)))
		}
		if id := s.Before.ReporterID; id != nil {
			out = append(out, projector.Add(s.Before.Target, []string{*id}, negative(recordCounters(s.Before.State))))
		}
		return out
	},
}

// Reporter returns the record of an account, zero if it filed nothing. It reads the primary key of the projection if
// the coverage has only whole modules. Otherwise it counts the account's reports, by an index, since each target's
// present scope decides.
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
