// Package statistics counts reports and their outcomes by target, by reporter, by policy and by day. Other modules must
// not import it.
package statistics

import (
	"context"
	"errors"

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

// inPresentScope restricts the query to rows r of a table whose target is within the coverage by its present scope.
func inPresentScope(b squirrel.SelectBuilder, table string, c permission.Coverage) squirrel.SelectBuilder {
	return b.From(table + " r").LeftJoin(projections.JoinTarget).Where(projections.PresentWithin(c))
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
