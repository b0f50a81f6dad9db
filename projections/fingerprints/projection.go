// Package fingerprints stores the domain/likeness.Fingerprint of each report with a snapshot, and whether and when the
// report was decided, so that one index finds the open reports and another the decided ones. It follows the log, so
// that it adds no cost to filing. Other modules must not import it.
package fingerprints

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Projection is the projection of fingerprints.
var Projection = projector.Derived[string]{Name: name, Batch: 500, Apply: apply, Keys: listReports, Size: 200,
	Rows: `SELECT count(*) FROM core_moderation_reports`, Store: store, Compare: compare,
	Describe: func(id string) string {
		return "report " + id + ": its fingerprint is not what its content and its decisions make of it"
	}}

const name = "fingerprints"

// apply computes the fingerprints of reports that were filed or erased, and updates the rest of the rows.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	var changed, captured []string
	var id string
	var content bool
	err = postgres.ForEach(ctx, tx, "read what has changed", []any{&id, &content}, func() error {
		if changed = append(changed, id); content {
			captured = append(captured, id)
		}
		return nil
	}, `SELECT e.report_id::text, bool_or(e.type IN ('created', 'evidence_erased')) FROM core_moderation_log l
		JOIN core_moderation_report_events e USING (event_id) WHERE l.position > $1 AND l.position <= $2 GROUP BY 1`, after, upTo)
	if err != nil || len(changed) == 0 {
		return false, err
	}
	if err := store(ctx, tx, captured); err != nil {
		return false, err
	}
	return false, postgres.Exec(ctx, tx, "store which reports are decided", `UPDATE core_moderation_fingerprints f
		SET open = r.open, decided_at = r.decided_at FROM (`+selectDecided+`) r
		WHERE f.report_id = r.id AND (f.open, f.decided_at) IS DISTINCT FROM (r.open, r.decided_at)`, changed)
}

// selectDecided selects whether and when the reports $1 were decided. A report whose decision was overturned on appeal
// and that was reopened counts as decided at that time.
const selectDecided = `SELECT r.id, r.status <> 'done' AS open, coalesce(r.resolved_at, (SELECT max(a.decided_at)
		FROM core_moderation_appeals a WHERE a.report_id = r.id AND a.status = 'overturned' AND NOT a.superseded)) AS decided_at
	FROM core_moderation_reports r WHERE r.id = ANY ($1::uuid[])`

// listReports lists reports after one that have a row or a fingerprint, by the primary keys.
func listReports(ctx context.Context, db postgres.Querier, after string, limit int) ([]string, error) {
	const first = "00000000-0000-0000-0000-000000000000"
	return postgres.Collect(ctx, db, "list reports", pgx.RowTo[string], `SELECT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE id > $1 ORDER BY id LIMIT $2)
		UNION (SELECT report_id FROM core_moderation_fingerprints WHERE report_id > $1 ORDER BY report_id LIMIT $2)) u ORDER BY u.id LIMIT $2`,
		max(after, first), limit)
}

// row is a row of core_moderation_fingerprints.
type row struct {
	ID        string     `json:"report_id"`
	Signature string     `json:"signature"` // as PostgreSQL writes it
	Keys      []int64    `json:"keys"`
	Open      bool       `json:"open"`
	DecidedAt *time.Time `json:"decided_at"`
}

func (r row) equal(o row) bool {
	return r.ID == o.ID && r.Signature == o.Signature && slices.Equal(r.Keys, o.Keys) && r.Open == o.Open &&
		(r.DecidedAt == o.DecidedAt || r.DecidedAt != nil && o.DecidedAt != nil && r.DecidedAt.Equal(*o.DecidedAt))
}

// derive returns the rows that reports should have. A report with neither text nor links has none.
func derive(ctx context.Context, tx pgx.Tx, ids []string) (rows []row, err error) {
	var r row
	var snapshot []byte
	err = postgres.ForEach(ctx, tx, "read snapshots", []any{&r.ID, &r.Open, &r.DecidedAt, &snapshot}, func() error {
		f := likeness.Of(snapshot)
		if r.Keys = f.Keys(); len(r.Keys) > 0 {
			r.Signature = `\x` + hex.EncodeToString(f.Signature)
			rows = append(rows, r)
		}
		return nil
	}, `SELECT r.id::text, d.open, d.decided_at, r.snapshot FROM (`+selectDecided+`) d JOIN core_moderation_reports r USING (id)
		WHERE r.snapshot IS NOT NULL`, ids)
	return rows, err
}

// store stores the fingerprints of reports, and deletes those of reports that should have none.
func store(ctx context.Context, tx pgx.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := derive(ctx, tx, ids)
	if err != nil {
		return err
	}
	kept := domain.Map(rows, func(r row) string { return r.ID })
	b := &pgx.Batch{}
	b.Queue(`DELETE FROM core_moderation_fingerprints WHERE report_id = ANY ($1::uuid[]) AND report_id <> ALL ($2::uuid[])`, ids, kept)
	if len(rows) > 0 {
		b.Queue(`INSERT INTO core_moderation_fingerprints AS f (report_id, signature, keys, open, decided_at)
			SELECT r.report_id, r.signature::bytea, r.keys, r.open, r.decided_at
			FROM jsonb_to_recordset($1::jsonb) r (report_id uuid, signature text, keys bigint[], open boolean, decided_at timestamptz)
			ON CONFLICT (report_id) DO UPDATE SET (signature, keys, open, decided_at) = (EXCLUDED.signature, EXCLUDED.keys, EXCLUDED.open, EXCLUDED.decided_at)
			WHERE (f.signature, f.keys, f.open, f.decided_at) IS DISTINCT FROM (EXCLUDED.signature, EXCLUDED.keys, EXCLUDED.open, EXCLUDED.decided_at)`, rows)
	}
	return postgres.Send(ctx, tx, "store fingerprints", b)
}

// compare returns the reports whose stored fingerprint is wrong.
func compare(ctx context.Context, tx pgx.Tx, ids []string) ([]string, error) {
	rows, err := derive(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	differ := map[string]row{}
	for _, r := range rows {
		differ[r.ID] = r
	}
	stored, err := postgres.Collect(ctx, tx, "read fingerprints", pgx.RowToStructByPos[row],
		`SELECT report_id::text, signature::text, keys, open, decided_at FROM core_moderation_fingerprints WHERE report_id = ANY ($1::uuid[])`, ids)
	if err != nil {
		return nil, err
	}
	for _, r := range stored {
		if differ[r.ID].equal(r) {
			delete(differ, r.ID)
		} else {
			differ[r.ID] = r
		}
	}
	return domain.Filter(ids, func(id string) bool { return differ[id].ID != "" }), nil
}

// QueueErased deletes the fingerprint of a report without a snapshot, in the transaction that erased it. The
// projection's lock makes a concurrent update that has read the snapshot commit first.
func QueueErased(b *pgx.Batch, reportID string) {
	projector.QueueLock(b, name)
	b.Queue(`DELETE FROM core_moderation_fingerprints WHERE report_id = $1
		AND NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.id = $1 AND r.snapshot IS NOT NULL)`, reportID)
}
