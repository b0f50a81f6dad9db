package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Located is an event with its position, if it has one.
type Located struct {
	Record
	Position *int64 // nil until it is sealed
	Leaf     []byte
}

// EachLocated is EachRecord with positions.
func EachLocated(ctx context.Context, db postgres.Querier, reportIDs []string, fn func(*Located) error) error {
	var p Located
	into := append(recordFields(&p.Record, untilNextRow(&p.Record)), &p.Position, &p.Leaf)
	return postgres.ForEach(ctx, db, fmt.Sprintf("load %d reports", len(reportIDs)), into, func() error { return fn(&p) },
		`SELECT `+recordColumns+`, l.position, l.leaf_hash FROM core_moderation_report_events e LEFT JOIN core_moderation_log l USING (event_id)
		WHERE e.report_id = ANY ($1::uuid[]) ORDER BY e.report_id, e.sequence`, reportIDs)
}

// Sealed is an event with its position in the log.
type Sealed struct {
	Position int64 // from 1, without gaps
	Leaf     []byte
	Record
}

// logColumns are the columns that scanSealed reads.
const logColumns = recordColumns + `, l.position, l.leaf_hash`

func scanSealed(row pgx.CollectableRow) (s Sealed, err error) {
	return s, row.Scan(append(recordFields(&s.Record, &s.Evidence), &s.Position, &s.Leaf)...)
}

// ReadSealed returns a report's sealed events, oldest first.
func ReadSealed(ctx context.Context, db postgres.Querier, reportID string) ([]Sealed, error) {
	return postgres.Collect(ctx, db, "read sealed events of report "+reportID, scanSealed,
		`SELECT `+logColumns+` FROM core_moderation_report_events e JOIN core_moderation_log l USING (event_id)
		WHERE e.report_id = $1 ORDER BY e.sequence`, reportID)
}

// ReadLog returns at most limit sealed events after a position, in order. It reads the
// log's primary key.
func ReadLog(ctx context.Context, db postgres.Querier, after int64, limit int) ([]Sealed, error) {
	return postgres.Collect(ctx, db, "read the log", scanSealed,
		`SELECT `+logColumns+` FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 ORDER BY l.position LIMIT $2`, after, limit)
}

// LastPosition returns the number of sealed events.
func LastPosition(ctx context.Context, db postgres.Querier) (int64, error) {
	return postgres.CollectOne(ctx, db, "read the size of the log", pgx.RowTo[int64], `SELECT coalesce(max(position), 0) FROM core_moderation_log`)
}

// Fact is a sealed event without its evidence, for projections. Its Erased is not set.
type Fact struct {
	Position int64
	report.Event
}

// ReadFacts is ReadLog without the evidence, which is most of the log's data.
func ReadFacts(ctx context.Context, db postgres.Querier, after int64, limit int) ([]Fact, error) {
	return postgres.Collect(ctx, db, "read the log", func(row pgx.CollectableRow) (Fact, error) {
		var r Record
		var f Fact
		if err := row.Scan(append(FactFields(&r), &f.Position)...); err != nil {
			return f, err
		}
		var err error
		if f.Event, err = r.Event(); err != nil {
			// The position says where the reader stopped.
			return f, &PoisonError{Position: f.Position, Err: err}
		}
		return f, nil
	}, `SELECT `+FactColumns+`, l.position FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 ORDER BY l.position LIMIT $2`, after, limit)
}
