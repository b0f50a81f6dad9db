package projections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// HeldList pages held decisions, the oldest first. They are few, since they expire, and a partial index finds them.
var HeldList = paging.List{
	ID:        paging.ID{Expr: "r.id", Kind: paging.UUID},
	Orderings: []paging.Ordering{{Name: "at", Expr: "(r.held ->> 'at')::timestamptz", Kind: paging.Time}},
}

// firstHeld is the SQL condition that a report r is the first of those that are decided together.
const firstHeld = `coalesce(r.held -> 'reports' ->> 0, r.id::text) = r.id::text`

// Held returns a page of the held decisions on reports within the coverage. A decision on several reports appears once,
// with the first.
func (p *Reports) Held(ctx context.Context, c permission.Coverage, r paging.Request) (paging.Page[moderation.Stored], error) {
	where := psql.Select("r.*", "t.scope_family AS now_family", "t.scope_id AS now_id").From("core_moderation_reports r").LeftJoin(JoinTarget).
		Where("r.held IS NOT NULL AND " + firstHeld).Where(present.covered(c))
	sql, args, err := sqlpage.Apply(r, where).ToSql()
	if err != nil {
		return paging.Page[moderation.Stored]{}, fmt.Errorf("list held decisions: %w", err)
	}
	found, err := postgres.Collect(ctx, p.pool, "list held decisions", func(row pgx.CollectableRow) (s moderation.Stored, err error) {
		fields, done := storedFields(&s)
		err = errors.Join(row.Scan(append(fields, &s.HeldWords)...), done())
		return s, err
	}, withOpenOnTargets(sql)+`SELECT `+stateColumns+`, r.now_family, r.now_id, `+peopleColumns+`, n.open, `+detailColumns+`, `+heldWordsColumn+
		` FROM page r`+joinOpenOnTargets+peopleJoins+` ORDER BY `+sqlpage.OrderClause(r), args...)
	found = slices.DeleteFunc(found, func(s moderation.Stored) bool { return s.HeldDecision == nil }) // of an account that the previous release deleted
	return paging.NewPage(found, r, func(s moderation.Stored) paging.Position { return paging.At(s.HeldDecision.At, s.ID) }), err
}

// HeldReport implements moderation.HeldDecisions, by the primary key of the events.
func (p *Reports) HeldReport(ctx context.Context, heldID string) (string, error) {
	return postgres.CollectFound(ctx, p.pool, "find a held decision", pgx.RowTo[string],
		`SELECT report_id::text FROM core_moderation_report_events WHERE event_id = $1 AND type = 'decision_held'`, heldID)
}

// HeldInLog implements moderation.HeldDecisions.
func (p *Reports) HeldInLog(ctx context.Context, tx pgx.Tx, reportID string) (*report.HeldDecision, *report.ResolvedWords, error) {
	r := eventstore.Record{ReportID: reportID}
	err := postgres.ForEach(ctx, tx, "read a held decision from the log", []any{&r.EventID, &r.Sequence, &r.Type, &r.Payload, &r.Evidence, &r.ActorID, &r.OccurredAt},
		func() error { return nil }, `SELECT event_id::text, sequence, type, payload, evidence, actor_id::text, occurred_at FROM core_moderation_report_events
		WHERE report_id = $1 AND type IN ('decision_held', 'held_released', 'held_lapsed') ORDER BY sequence DESC LIMIT 1`, reportID)
	if err != nil || r.Type != string(report.DecisionHeldType) {
		return nil, nil, err
	}
	e, err := r.Event()
	if err != nil {
		return nil, nil, err
	}
	var words *report.ResolvedWords
	if r.Evidence != nil {
		words = &e.Fact.(*report.DecisionHeld).Words
	}
	return report.HeldBy(e), words, nil
}

// HeldUntil implements moderation.HeldDecisions, by the same index as HeldList.
func (p *Reports) HeldUntil(ctx context.Context, now time.Time, after string, limit int) ([]string, error) {
	return postgres.Collect(ctx, p.pool, "find what nobody has released", pgx.RowTo[string], `SELECT id::text FROM core_moderation_reports
		WHERE held IS NOT NULL AND (held ->> 'expiresAt')::timestamptz <= $1 AND id > coalesce(nullif($2, '')::uuid, '00000000-0000-0000-0000-000000000000')
		ORDER BY id LIMIT $3`, now, after, limit)
}

// HeldWaiting counts the held decisions, and returns the age of the oldest in seconds, by the same index as HeldList.
func (p *Reports) HeldWaiting(ctx context.Context) (n int, age float64, err error) {
	err = p.pool.QueryRow(ctx, `SELECT count(*), coalesce(extract(epoch FROM now() - min((r.held ->> 'at')::timestamptz)), 0) FROM core_moderation_reports r
		WHERE r.held IS NOT NULL AND `+firstHeld).Scan(&n, &age)
	return n, age, err
}
