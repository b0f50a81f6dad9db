package projections

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
)

const (
	// maxCount is the number at which the total of a list stops.
	maxCount = 10_000
	// examinedRows bounds how many rows are read for the total.
	examinedRows = 20_000
	// countedByRows is the number of reports up to which totals count rows.
	countedByRows = 1000
)

// everything is the condition of a total: all rows.
var everything = []squirrel.Sqlizer{squirrel.Expr("true")}

// total counts a list: up to maxCount and among the first examinedRows of an index, or among the
// newest reports in a search for common words. capped means that there may be more.
func (p *Reports) total(ctx context.Context, c permission.Coverage, f Filter) (n int, capped bool, err error) {
	if f.hasKinds() {
		var many bool
		err := p.count(ctx, &many, &n)(kindsQuery(c, f, everything))
		if err != nil || many {
			return min(n, maxCount), n > maxCount, err
		}
	}
	common, err := p.isCommon(ctx, f)
	if err != nil {
		return 0, false, err
	}
	if common {
		err = p.count(ctx, &n)(rowsQuery(c, f, true, everything))
		return n, true, err
	}
	var examined int
	err = p.count(ctx, &n, &examined)(totalQuery(c, f))
	return min(n, maxCount), n > maxCount || examined == examinedRows, err
}

// totalQuery returns the query that counts the rows of a list among the first examinedRows that an
// index finds, and how many rows it read. It stops counting at maxCount + 1.
func totalQuery(c permission.Coverage, f Filter) (string, []any, error) {
	found, rest := f.byIndex()
	rows := rest.where(squirrel.Select("1").FromSelect(found.Limit(examinedRows), "r")).LeftJoin(JoinTarget).
		Where(present.covered(c)).Where(present.only(f.Scope)).Limit(maxCount + 1)
	return numbered("SELECT (SELECT count(*) FROM (?) r), (SELECT count(*) FROM (?) r)", rows, found.Limit(examinedRows))
}

// byIndex returns the query for the part of the filter that one index covers, and the rest of the
// filter.
func (f Filter) byIndex() (found squirrel.SelectBuilder, rest Filter) {
	var by Filter
	rest = f
	switch {
	case f.query() != "":
		by.Search, by.Author, by.Locale = f.Search, f.Author, f.Locale
		rest.Search, rest.Author, rest.Locale = "", nil, ""
	case f.PluginID != "" && f.TargetType != "" && f.TargetID != "":
		by.PluginID, by.TargetType, by.TargetID = f.PluginID, f.TargetType, f.TargetID
		rest.PluginID, rest.TargetType, rest.TargetID = "", "", ""
	case f.Tag != "":
		by.Tag, rest.Tag = f.Tag, ""
	case f.Escalated != nil:
		by.Escalated = &WaitsFor{}
	case f.AssigneeID != "":
		by.AssigneeID, rest.AssigneeID = f.AssigneeID, ""
	case f.Overdue:
		by.Overdue, rest.Overdue = true, false
	case f.Muted != nil && *f.Muted:
		by.Muted, rest.Muted = f.Muted, nil
	default:
		by.Statuses, by.After, by.Before = f.Statuses, f.After, f.Before
		rest.Statuses, rest.After, rest.Before = nil, nil, nil
	}
	return by.where(by.from(squirrel.Select("r.*"))), rest
}
