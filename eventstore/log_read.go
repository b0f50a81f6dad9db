package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// LoadStreams reads the events of several reports as they are stored, each
// report's oldest first. A report without events is absent. It reads the unique
// index on (report_id, sequence).
func LoadStreams(ctx context.Context, db querier, reportIDs []string) (map[string][]Record, error) {
	rows, err := db.Query(ctx, `SELECT `+recordColumns+` FROM core_moderation_report_events e
		WHERE e.report_id = ANY ($1::uuid[]) ORDER BY e.report_id, e.sequence`, reportIDs)
	if err != nil {
		return nil, fmt.Errorf("load %d reports: %w", len(reportIDs), err)
	}
	records, err := pgx.CollectRows(rows, scanRecord)
	if err != nil {
		return nil, fmt.Errorf("load %d reports: %w", len(reportIDs), err)
	}
	streams := make(map[string][]Record, len(reportIDs))
	for _, r := range records {
		streams[r.ReportID] = append(streams[r.ReportID], r)
	}
	return streams, nil
}
