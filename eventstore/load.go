package eventstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// FactColumns are the columns of an event e without its words.
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
