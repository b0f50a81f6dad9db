package transparency

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/transparency"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/queue"
)

const (
	taskName    = "transparency.report"
	maxAttempts = 5         // to count a report
	limit       = time.Hour // of an attempt
)

type payload struct {
	ID string `json:"id"`
}

// Handle registers the task that counts reports.
func (s *Store) Handle(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, taskName, queue.Handler{Limit: limit, Run: queue.Decoded(s.attempt)})
}

// errEnded means that the server stopped in every attempt to count the report, without leaving an error.
var errEnded = fmt.Errorf("its server ended in one of %d attempts", maxAttempts)

// attempt counts a report. If it fails from the attempt maxAttempts on, the report becomes failed, so that it never
// stays unfinished.
func (s *Store) attempt(ctx context.Context, a queue.Attempt, p payload) error {
	err := errEnded
	if a.Number <= maxAttempts {
		err = s.count(ctx, p.ID)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	state := Running
	if a.Number >= maxAttempts {
		state = Failed
	}
	// The error of an earlier attempt says more than errEnded.
	storing := postgres.Exec(ctx, s.pool, "store why a report failed", `UPDATE core_transparency_reports
		SET state = $2, error = CASE WHEN $4 THEN coalesce(error, $3) ELSE $3 END WHERE id = $1 AND state IN ('queued', 'running')`, p.ID, state, err.Error(), errors.Is(err, errEnded))
	if state == Failed {
		return storing
	}
	return errors.Join(err, storing)
}

// counted are the types of events for the query.
var counted = []report.Type{report.CreatedType, report.ResolvedType, report.ActionType, report.MeasureImposedType, report.AppealedType, report.AppealDecidedType, report.EvidenceErasedType}

// count makes a transparency report from the log up to its present end, without the evidence of its events, and stores
// it signed. Each attempt starts over.
func (s *Store) count(ctx context.Context, id string) error {
	k, err := s.Find(ctx, id)
	if err != nil || k.State == Done || k.State == Failed {
		return err
	}
	q, err := transparency.NewQuery(transparency.Version, k.Since, k.Until)
	if err != nil {
		return err
	}
	through, err := eventstore.LastPosition(ctx, s.log)
	if err != nil {
		return err
	}
	progress := func(done int64) error {
		return postgres.Exec(ctx, s.pool, "store the progress of a report", `UPDATE core_transparency_reports SET state = 'running', done = $2, total = $3
			WHERE id = $1 AND state IN ('queued', 'running')`, id, done, through)
	}
	if err := eventstore.InPieces(ctx, through, progress, func(after, through int64) error { return s.each(ctx, after, through, q) }); err != nil {
		return err
	}
	root, err := proof.RootAt(ctx, s.log, through)
	if err != nil {
		return err
	}
	k.Cells, k.Position, k.RootHash, k.Query = q.Cells(), through, hex.EncodeToString(root), transparency.Version
	cells, err := json.Marshal(k.Cells)
	if err != nil {
		return fmt.Errorf("encode the cells: %w", err)
	}
	// It is signed now, since anybody with SQL could edit the row until it is published.
	r := k.Public()
	if err := r.Sign(s.signer); err != nil {
		return err
	}
	signed, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a report: %w", err)
	}
	return postgres.Exec(ctx, s.pool, "store the cells of a report", `UPDATE core_transparency_reports SET state = 'done', error = NULL, done = $3, total = $3,
		cells = $2, position = $3, root_hash = $4, query_version = $5, published = $6 WHERE id = $1 AND state IN ('queued', 'running')`,
		id, cells, k.Position, k.RootHash, k.Query, signed)
}

func (s *Store) each(ctx context.Context, after, through int64, q *transparency.Query) error {
	var e report.Event
	var raw []byte
	return postgres.ForEach(ctx, s.log, "read the log", []any{&e.ReportID, &e.Type, &raw, &e.OccurredAt}, func() (err error) {
		if e.Fact, err = report.Decode(e.Type, raw); err != nil {
			return fmt.Errorf("report %s: %w", e.ReportID, err)
		}
		q.Apply(&e)
		runtime.Gosched()
		return nil
	}, `SELECT e.report_id::text, e.type, e.payload, e.occurred_at FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND l.position <= $2 AND e.type = ANY ($3) ORDER BY l.position`, after, through, counted)
}
