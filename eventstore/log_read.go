package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
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

// A Sealed event has its place in the one order of all events.
type Sealed struct {
	Position int64 // from 1, dense
	Leaf     []byte
	Record
}

// logColumns are the columns that scanSealed reads.
const logColumns = `l.position, l.leaf_hash, ` + recordColumns

func scanSealed(row pgx.CollectableRow) (Sealed, error) {
	var s Sealed
	err := row.Scan(&s.Position, &s.Leaf, &s.EventID, &s.ReportID, &s.Sequence, &s.Version, &s.Type, &s.Payload, &s.Evidence, &s.EvidenceDigest,
		&s.ActorID, &s.OccurredAt, &s.PrevHash, &s.Hash)
	s.OccurredAt = s.OccurredAt.UTC()
	return s, err
}

// ReadLog reads at most limit sealed events behind a position, in order. It
// reads the log's primary key.
func ReadLog(ctx context.Context, db querier, after int64, limit int) ([]Sealed, error) {
	rows, err := db.Query(ctx, `SELECT `+logColumns+` FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 ORDER BY l.position LIMIT $2`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	events, err := pgx.CollectRows(rows, scanSealed)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return events, nil
}

// LastPosition is the size of the log.
func LastPosition(ctx context.Context, db querier) (int64, error) {
	rows, err := db.Query(ctx, `SELECT coalesce(max(position), 0) FROM core_moderation_log`)
	if err != nil {
		return 0, fmt.Errorf("read the size of the log: %w", err)
	}
	last, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, fmt.Errorf("read the size of the log: %w", err)
	}
	return last, nil
}

// Fact is a sealed event without its words, which no projection of the log
// needs; whether they are erased is not told.
type Fact struct {
	Position int64
	report.Event
}

// ReadFacts is ReadLog without reading any evidence, which makes up most of
// what the log stores.
func ReadFacts(ctx context.Context, db querier, after int64, limit int) ([]Fact, error) {
	rows, err := db.Query(ctx, `SELECT l.position, e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, e.actor_id::text, e.occurred_at
		FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 ORDER BY l.position LIMIT $2`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	facts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Fact, error) {
		var r Record
		var f Fact
		if err := row.Scan(&f.Position, &r.EventID, &r.ReportID, &r.Sequence, &r.Version, &r.Type, &r.Payload, &r.ActorID, &r.OccurredAt); err != nil {
			return f, err
		}
		var err error
		if f.Event, err = r.Event(); err != nil {
			// A reader that stops here can say where.
			return f, &PoisonError{Position: f.Position, Err: err}
		}
		return f, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return facts, nil
}

// A PoisonError is an event that cannot be read.
type PoisonError struct {
	Position int64 // 0 where the reader did not ask for it
	Err      error
}

func (e *PoisonError) Error() string {
	if e.Position == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("position %d: %v", e.Position, e.Err)
}

func (e *PoisonError) Unwrap() error { return e.Err }

// LoadFacts reads the events of reports up to a sequence of each, oldest first,
// without their words. One that cannot be read is a *PoisonError.
func LoadFacts(ctx context.Context, db querier, through map[string]int) (map[string][]report.Event, error) {
	ids, sequences := make([]string, 0, len(through)), make([]int, 0, len(through))
	for id, n := range through {
		ids, sequences = append(ids, id), append(sequences, n)
	}
	rows, err := db.Query(ctx, `SELECT e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, e.actor_id::text, e.occurred_at
		FROM unnest($1::uuid[], $2::int[]) w (report_id, sequence)
		JOIN core_moderation_report_events e ON e.report_id = w.report_id AND e.sequence <= w.sequence
		ORDER BY e.report_id, e.sequence`, ids, sequences)
	if err != nil {
		return nil, fmt.Errorf("load %d reports: %w", len(ids), err)
	}
	streams := make(map[string][]report.Event, len(ids))
	var r Record
	_, err = pgx.ForEachRow(rows, []any{&r.EventID, &r.ReportID, &r.Sequence, &r.Version, &r.Type, &r.Payload, &r.ActorID, &r.OccurredAt}, func() error {
		e, err := r.Event()
		if err != nil {
			return &PoisonError{Err: err}
		}
		streams[r.ReportID] = append(streams[r.ReportID], e)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load %d reports: %w", len(ids), err)
	}
	return streams, nil
}
