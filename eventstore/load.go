package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// FactColumns are the columns of an event e without its evidence.
const FactColumns = `e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, e.actor_id::text, e.occurred_at`

// FactFields are the destinations of FactColumns.
func FactFields(r *Record) []any {
	return []any{&r.EventID, &r.ReportID, &r.Sequence, &r.Version, &r.Type, &r.Payload, &r.ActorID, &r.OccurredAt}
}

// recordColumns are all columns of an event e. recordFields are their destinations.
const recordColumns = FactColumns + `, e.evidence, e.evidence_digest, e.prev_hash, e.hash, e.signature`

func recordFields(r *Record, evidence any) []any {
	return append(FactFields(r), evidence, &r.EvidenceDigest, &r.PrevHash, &r.Hash, &r.Signature)
}

// untilNextRow reads the evidence of a record without copying it, which may be 256 KB.
func untilNextRow(r *Record) any { return (*pgtype.DriverBytes)(&r.Evidence) }

// Load returns a report's events, oldest first, or none for an unknown report.
// It reads the unique index on (report_id, sequence).
func Load(ctx context.Context, db postgres.Querier, reportID string) ([]report.Event, error) {
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

// EachEvent calls fn with a report's events, oldest first, without the texts of notes, which may be
// 64 MB. Memory holds one event at a time.
func EachEvent(ctx context.Context, db postgres.Querier, reportID string, fn func(report.Event)) error {
	return eachEvent(ctx, db, func(e report.Event) error { fn(e); return nil },
		`SELECT `+FactColumns+`, CASE WHEN e.type NOT IN ('note_added', 'note_updated') THEN e.evidence END, e.evidence_digest, e.evidence IS NULL
		FROM core_moderation_report_events e WHERE e.report_id = $1 ORDER BY e.sequence`, reportID)
}

// EachText calls fn with a report's events of these sequences, in the order given and with their
// evidence. Memory holds one event at a time.
func EachText(ctx context.Context, db postgres.Querier, reportID string, sequences []int, fn func(report.Event) error) error {
	return eachEvent(ctx, db, fn,
		`SELECT `+FactColumns+`, e.evidence, e.evidence_digest, e.evidence IS NULL
		FROM unnest($2::int[]) WITH ORDINALITY n (sequence, place) JOIN core_moderation_report_events e ON e.report_id = $1 AND e.sequence = n.sequence
		ORDER BY n.place`, reportID, sequences)
}

func eachEvent(ctx context.Context, db postgres.Querier, fn func(report.Event) error, sql string, args ...any) error {
	var r Record
	var gone bool
	into := append(FactFields(&r), untilNextRow(&r), &r.EvidenceDigest, &gone)
	return postgres.ForEach(ctx, db, fmt.Sprintf("read report %v", args[0]), into, func() error {
		e, err := r.Event()
		if err != nil {
			return err
		}
		e.Erased = gone && r.EvidenceDigest != nil
		return fn(e)
	}, sql, args...)
}

// LoadRecords returns a report's events as they are stored, oldest first.
func LoadRecords(ctx context.Context, db postgres.Querier, reportID string) ([]Record, error) {
	return postgres.Collect(ctx, db, "load report "+reportID, func(row pgx.CollectableRow) (r Record, err error) {
		return r, row.Scan(recordFields(&r, &r.Evidence)...)
	}, `SELECT `+recordColumns+` FROM core_moderation_report_events e WHERE e.report_id = $1 ORDER BY e.sequence`, reportID)
}

// EachRecord calls fn with the events of several reports, by report and oldest first. Memory holds
// one event at a time, so fn must not retain the record or its evidence. It reads the unique index
// on (report_id, sequence).
func EachRecord(ctx context.Context, db postgres.Querier, reportIDs []string, fn func(*Record) error) error {
	var r Record
	return postgres.ForEach(ctx, db, fmt.Sprintf("load %d reports", len(reportIDs)), recordFields(&r, untilNextRow(&r)), func() error { return fn(&r) },
		`SELECT `+recordColumns+` FROM core_moderation_report_events e WHERE e.report_id = ANY ($1::uuid[]) ORDER BY e.report_id, e.sequence`, reportIDs)
}

// LoadFacts returns the events of reports, each up to a sequence, oldest first and without their
// evidence. For an event that cannot be decoded it returns a *PoisonError.
func LoadFacts(ctx context.Context, db postgres.Querier, through map[string]int) (map[string][]report.Event, error) {
	ids, sequences := make([]string, 0, len(through)), make([]int, 0, len(through))
	for id, n := range through {
		ids, sequences = append(ids, id), append(sequences, n)
	}
	streams := make(map[string][]report.Event, len(ids))
	var r Record
	return streams, postgres.ForEach(ctx, db, fmt.Sprintf("load %d reports", len(ids)), FactFields(&r), func() error {
		e, err := r.Event()
		if err != nil {
			return &PoisonError{Err: err}
		}
		streams[r.ReportID] = append(streams[r.ReportID], e)
		return nil
	}, `SELECT `+FactColumns+` FROM unnest($1::uuid[], $2::int[]) w (report_id, sequence)
		JOIN core_moderation_report_events e ON e.report_id = w.report_id AND e.sequence <= w.sequence
		ORDER BY e.report_id, e.sequence`, ids, sequences)
}

// PoisonError means that an event cannot be decoded.
type PoisonError struct {
	Position int64 // 0 if the reader did not ask for it
	Err      error
}

func (e *PoisonError) Error() string {
	if e.Position == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("position %d: %v", e.Position, e.Err)
}

func (e *PoisonError) Unwrap() error { return e.Err }
