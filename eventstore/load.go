package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// recordColumns are the columns that scanRecord reads, in its order.
const recordColumns = `e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, e.evidence, e.evidence_digest,
	e.actor_id::text, e.occurred_at, e.prev_hash, e.hash`

func scanRecord(rows pgx.CollectableRow) (Record, error) {
	var r Record
	err := rows.Scan(&r.EventID, &r.ReportID, &r.Sequence, &r.Version, &r.Type, &r.Payload, &r.Evidence, &r.EvidenceDigest,
		&r.ActorID, &r.OccurredAt, &r.PrevHash, &r.Hash)
	return r, err
}

// querier is a pool, a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Load reads a report's events, oldest first; none for an unknown report.
// It reads the unique index on (report_id, sequence).
func Load(ctx context.Context, db querier, reportID string) ([]report.Event, error) {
	records, err := LoadRecords(ctx, db, reportID)
	if err != nil {
		return nil, err
	}
	events := make([]report.Event, len(records))
	for i := range records {
		if events[i], err = records[i].Event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// LoadRecords reads a report's events as they are stored, oldest first.
func LoadRecords(ctx context.Context, db querier, reportID string) ([]Record, error) {
	rows, err := db.Query(ctx, `SELECT `+recordColumns+` FROM core_moderation_report_events e WHERE e.report_id = $1 ORDER BY e.sequence`, reportID)
	if err != nil {
		return nil, fmt.Errorf("load report %s: %w", reportID, err)
	}
	records, err := pgx.CollectRows(rows, scanRecord)
	if err != nil {
		return nil, fmt.Errorf("load report %s: %w", reportID, err)
	}
	return records, nil
}
