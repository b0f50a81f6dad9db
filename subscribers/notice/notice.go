// Package notice tells reporters what became of their reports: a notice each time
// one is resolved, and mail where it is configured.
package notice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// Group is the consumer group that writes notices.
const Group = "docket.notices"

// Notice is what a reporter is told.
type Notice struct {
	ID          string
	ReportID    string
	Target      Target
	Resolution  string
	Explanation *string // nil unless the moderator shared it
	CreatedAt   time.Time
	ReadAt      *time.Time
}

// Target is what was reported, as the reporter saw it.
type Target struct {
	PluginID string `json:"pluginId"`
	Type     string `json:"type"`
	ID       string `json:"id"`
	Title    string `json:"title"`
}

// Store keeps notices.
type Store struct {
	pool *pgxpool.Pool
	now  func() time.Time
	mail *Mail
}

// NewStore makes a Store; a nil mail sends none.
func NewStore(pool *pgxpool.Pool, now func() time.Time, mail *Mail) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{pool: pool, now: now, mail: mail}
}

// Listener writes a notice when a report is resolved and, with mail, enqueues the
// mail of it; both exactly once, in the message's transaction.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, Events: []string{event.ReportResolved}, Handle: s.handle}
}

func (s *Store) handle(ctx context.Context, tx pgx.Tx, e event.Event) error {
	resolved, err := event.Decode[event.Resolved](e)
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("notice id: %w", err)
	}
	var made string
	err = tx.QueryRow(ctx, `INSERT INTO core_notices (id, user_id, event_id, report_id, resolution, created_at)
		SELECT $1, r.reporter_id, $2, r.id, $3, $4 FROM core_moderation_reports r WHERE r.id = $5 AND r.reporter_id IS NOT NULL
		ON CONFLICT ON CONSTRAINT core_notices_event DO NOTHING RETURNING id`,
		id, e.ID, resolved.Resolution, e.OccurredAt, resolved.ReportID).Scan(&made)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // the reporter's account is gone
	}
	if err != nil {
		return fmt.Errorf("write notice: %w", err)
	}
	if s.mail == nil {
		return nil
	}
	return queue.EnqueueTx(ctx, tx, s.now(), queue.Task{
		PluginID: permission.CorePlugin, Name: mailTask, Queue: queue.Outbound, Payload: mailPayload{made},
	})
}

// List is how notices page: newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "n.created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "n.id", Kind: paging.UUID},
}

// selectNotices reads the explanation from the event itself, and only where it was
// shared: words that were erased there are gone here too.
const selectNotices = `SELECT n.id, n.report_id, r.plugin_id, r.target_type, r.target_id, r.title, n.resolution,
		CASE WHEN (convert_from(e.payload, 'UTF8')::json->>'shared')::boolean THEN convert_from(e.evidence, 'UTF8')::json #>> '{words,explanation}' END,
		n.created_at, n.read_at
	FROM core_notices n
	JOIN core_moderation_reports r ON r.id = n.report_id
	LEFT JOIN core_moderation_report_events e ON e.event_id = n.event_id::uuid `

func scan(row pgx.CollectableRow) (Notice, error) {
	var n Notice
	err := row.Scan(&n.ID, &n.ReportID, &n.Target.PluginID, &n.Target.Type, &n.Target.ID, &n.Target.Title, &n.Resolution,
		&n.Explanation, &n.CreatedAt, &n.ReadAt)
	return n, err
}

// List gives a page of a user's notices, all or the unread ones.
func (s *Store) List(ctx context.Context, userID string, unread bool, r paging.Request) (paging.Page[Notice], error) {
	condition, args := r.Condition(3)
	rows, err := s.pool.Query(ctx, selectNotices+`WHERE n.user_id = $1 AND (NOT $2 OR n.read_at IS NULL) AND `+condition+
		` ORDER BY `+r.OrderClause()+fmt.Sprintf(` LIMIT %d`, r.Limit()), append([]any{userID, unread}, args...)...)
	if err != nil {
		return paging.Page[Notice]{}, fmt.Errorf("list notices: %w", err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return paging.Page[Notice]{}, fmt.Errorf("list notices: %w", err)
	}
	return paging.NewPage(all, r, func(n Notice) paging.Position { return paging.At(n.CreatedAt, n.ID) }), nil
}

// MarkRead marks one of the user's notices read, once; another's is not_found.
func (s *Store) MarkRead(ctx context.Context, userID, id string) error {
	tag, err := s.pool.Exec(ctx, `UPDATE core_notices SET read_at = coalesce(read_at, $3) WHERE id = $1 AND user_id = $2`, id, userID, s.now().UTC())
	if err != nil {
		return fmt.Errorf("mark notice: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return domain.NotFound()
	}
	return nil
}
