package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// BehindColumn selects the events of a report r if a server of an earlier release was the last to write its row, which
// then lacks the newer columns. For every other row it is null and reads nothing. It leaves out all texts, which every
// release stores in the row.
const BehindColumn = `CASE WHEN r.folded <> r.sequence THEN (SELECT json_agg(json_build_object('EventID', e.event_id, 'ReportID', e.report_id, 'Sequence', e.sequence,
		'Version', e.version, 'Type', e.type, 'Payload', encode(e.payload, 'base64'), 'ActorID', e.actor_id, 'OccurredAt', e.occurred_at) ORDER BY e.sequence)
	FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.sequence <= r.sequence) END`

// Behind is the destination of BehindColumn.
type Behind []eventstore.Record

// Fold replaces the state of an outdated row by the fold of its events. It returns false, and does not change the row,
// if events are missing.
func (b Behind) Fold(row *report.State) (whole bool, err error) {
	if len(b) == 0 {
		return true, nil
	}
	if b[len(b)-1].Sequence != row.Sequence {
		return false, nil
	}
	var s report.State
	for i := range b {
		e, err := b[i].Event()
		if err != nil {
			return false, err
		}
		s = report.Evolve(s, e)
	}
	s.Description, s.Title, s.Excerpt, s.ReporterName, s.Explanation = row.Description, row.Title, row.Excerpt, row.ReporterName, row.Explanation
	s.Snapshot, s.Reasons, s.Erased = row.Snapshot, row.Reasons, row.Erased
	*row = s
	return true, nil
}

// selectIncomplete lists rows that are outdated or lack the search terms of their snapshots. It reads the partial
// indexes core_moderation_reports_behind and core_moderation_reports_wordless.
const selectIncomplete = `SELECT id::text FROM (
	(SELECT r.id FROM core_moderation_reports r WHERE folded <> sequence AND r.id > $1 ORDER BY r.id LIMIT $2)
	UNION (SELECT r.id FROM core_moderation_reports r WHERE NOT (search @@ '''` + wordsMark + `'''::tsquery) AND r.id > $1 ORDER BY r.id LIMIT $2)
	ORDER BY id LIMIT $2) i`

// Mend completes the rows that are outdated or lack the search terms of their snapshots. It skips reports whose events
// cannot be folded.
func Mend(ctx context.Context, pool *pgxpool.Pool) error {
	run := &inlineRun{pool: pool, write: true}
	for last := "00000000-0000-0000-0000-000000000000"; ; {
		ids, err := postgres.Collect(ctx, pool, "find rows that are incomplete", pgx.RowTo[string], selectIncomplete, last, readBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := run.batch(ctx, ids); err != nil {
			return fmt.Errorf("mend reports: %w", err)
		}
		last = ids[len(ids)-1]
	}
}
