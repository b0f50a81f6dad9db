package rules

import (
	"context"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Told is an event that facts, outcomes or figures depend on, without its evidence.
type Told struct {
	report.Event
	Position int64
	// Facts are those in the filing itself, with its signals; nil for other events. Erased is set if
	// its words are erased.
	Facts  *rule.Facts
	Erased bool
}

// Folder folds events in the order of the log.
type Folder interface {
	Filed(e *report.Event, facts *rule.Facts, erased bool)
	Apply(e *report.Event)
}

// FoldInto passes the event to a folder.
func (t *Told) FoldInto(f Folder) {
	if t.Facts != nil {
		f.Filed(&t.Event, t.Facts, t.Erased)
	} else {
		f.Apply(&t.Event)
	}
}

// told are the types of these events.
var told = []report.Type{report.CreatedType, report.AppealDecidedType, report.ResolvedType, report.ReopenedType, report.AssignedType, report.SignalledType, report.RuleMatchedType}

// Each calls do with the events after one position of the log and up to another. The signals of a filing are in its
// transaction and have its time, so they are read with it wherever a piece ends.
func Each(ctx context.Context, db postgres.Querier, after, through int64, do func(*Told) error) error {
	return each(ctx, db, do, `l.position > $1 AND l.position <= $2 AND e.type = ANY ($3)`, after, through, told)
}

// eachOf is Each for the events of some reports up to a position.
func eachOf(ctx context.Context, db postgres.Querier, reports []string, through int64, do func(*Told) error) error {
	return each(ctx, db, do, `e.report_id = ANY ($1::uuid[]) AND l.position <= $2 AND e.type = ANY ($3)`, reports, through, told)
}

func each(ctx context.Context, db postgres.Querier, do func(*Told) error, where string, args ...any) error {
	var t Told
	var record eventstore.Record
	var erasure []byte // the event that erased the words of a filing, and recorded the authors
	var signals [][]byte
	into := []any{&t.Position, &record.EventID, &record.ReportID, &record.Sequence, &record.Version, &record.Type, &record.Payload,
		(*pgtype.DriverBytes)(&record.Evidence), &record.EvidenceDigest, &record.OccurredAt, &erasure, &signals}
	return postgres.ForEach(ctx, db, "read the log", into, func() (err error) {
		var words []byte
		if t.Event, words, err = record.Parts(); err != nil {
			return &eventstore.PoisonError{Position: t.Position, Err: err}
		}
		t.Facts, t.Erased = nil, t.Event.Erased
		if c, filed := t.Fact.(*report.Created); filed {
			if t.Facts, err = factsOf(c, words, erasure, signals); err != nil {
				return &eventstore.PoisonError{Position: t.Position, Err: err}
			}
		}
		return do(&t)
	}, `SELECT l.position, e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, CASE WHEN e.type = 'created' THEN e.evidence END, e.evidence_digest, e.occurred_at,
			CASE WHEN e.type = 'created' AND e.evidence IS NULL THEN (SELECT x.payload FROM core_moderation_report_events x
				WHERE x.report_id = e.report_id AND x.type = 'evidence_erased' AND convert_from(x.payload, 'UTF8')::jsonb ? 'authors' ORDER BY x.sequence LIMIT 1) END,
			CASE WHEN e.type = 'created' THEN ARRAY(SELECT s.payload FROM core_moderation_report_events s
				WHERE s.report_id = e.report_id AND s.type = 'signalled' AND s.occurred_at = e.occurred_at ORDER BY s.sequence) END
		FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE `+where+` ORDER BY l.position`, args...)
}

// factsOf returns the facts of a filing. words, its evidence, may be nil, as may erasure, the event that erased it and
// recorded the authors.
func factsOf(c *report.Created, words, erasure []byte, signals [][]byte) (*rule.Facts, error) {
	var came []*report.Signalled
	for _, payload := range signals {
		s, err := report.Decode(report.SignalledType, payload)
		if err != nil {
			return nil, err
		}
		came = append(came, s.(*report.Signalled))
	}
	switch {
	case words != nil:
		var stored snapshot.Stored
		if err := report.DecodeSnapshot(words, &stored); err != nil {
			return nil, err
		}
		return rule.FactsOf(c, new(stored.Content()), nil, came...), nil
	case erasure == nil:
		return rule.FactsOf(c, nil, nil, came...), nil
	}
	erased, err := report.Decode(report.EvidenceErasedType, erasure)
	if err != nil {
		return nil, err
	}
	return rule.FactsOf(c, nil, erased.(*report.EvidenceErased).Authors, came...), nil
}

// Strikes returns how many strikes each version of a policy gives an author, and for how many days.
func Strikes(ctx context.Context, db postgres.Querier) (func(policy.Ref) (strikes, days int), error) {
	all := map[policy.Ref][2]int{}
	var ref policy.Ref
	var s [2]int
	err := postgres.ForEach(ctx, db, "read the strikes of policies", []any{&ref.Key, &ref.Version, &s[0], &s[1]}, func() error {
		all[ref] = s
		return nil
	}, `SELECT key, version, strikes, days FROM core_policy_strikes`)
	return func(p policy.Ref) (int, int) { return all[p][0], all[p][1] }, err
}

// At is a report at one of its events.
type At struct {
	ReportID string
	Sequence int // 0 is the last event
}

// FactsOf returns the filings of reports with their facts: what was known then, with the signals that arrived until the
// event. It leaves out reports whose evidence is erased, and those that the projection has not folded yet.
func FactsOf(ctx context.Context, db postgres.Querier, reports []At) (found []Told, err error) {
	ids, sequences := make([]string, len(reports)), make([]int, len(reports))
	for i, r := range reports {
		ids[i], sequences[i] = r.ReportID, r.Sequence
	}
	var record eventstore.Record
	var stored string
	var signals [][]byte
	into := []any{&record.EventID, &record.ReportID, &record.Sequence, &record.Version, &record.Type, &record.Payload,
		(*pgtype.DriverBytes)(&record.Evidence), &record.EvidenceDigest, &record.OccurredAt, &signals, &stored}
	err = postgres.ForEach(ctx, db, "read what was filed", into, func() error {
		e, words, err := record.Parts()
		if err != nil || e.Erased {
			return err
		}
		facts, err := factsOf(e.Fact.(*report.Created), words, nil, signals)
		if err != nil {
			return err
		}
		found = append(found, Told{Event: e, Facts: facts})
		return facts.Recall(stored)
	}, `SELECT e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload, e.evidence, e.evidence_digest, e.occurred_at,
			ARRAY(SELECT s.payload FROM core_moderation_report_events s WHERE s.report_id = e.report_id AND s.type = 'signalled'
				AND (n.until = 0 OR s.sequence <= n.until) ORDER BY s.sequence), k.value
		FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY n (id, until, o) JOIN core_moderation_report_events e ON e.report_id = n.id AND e.type = 'created'
		JOIN core_rule_records k ON k.key = '["report","' || n.id || '"]' ORDER BY n.o`, ids, sequences)
	return found, err
}
