// Package notice tells reporters the outcome of their reports, authors the decisions on their
// content and appellants the outcome of their appeals: it writes notices, and mails them if a
// mail server is configured. Every text is a message with a key, see messages.go.
package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
)

// Group is the consumer group that writes notices.
const Group = "docket.notices"

// Kind is what a notice is about.
type Kind string

// The kinds: to a reporter about a report, to an author about a decision on their content,
// and to an appellant about their appeal.
const (
	ReportKind   Kind = "report"
	DecisionKind Kind = "decision"
	AppealKind   Kind = "appeal"
	ActionKind   Kind = "action" // to a moderator, about an action that failed
)

// Notice is a message to an account. One to an author contains nothing about reporters.
type Notice struct {
	ID          string
	Kind        Kind
	ReportID    string
	Target      Target
	Locale      string // of the content
	Resolution  string
	Explanation *string // nil unless the moderator shared it with the reporter
	CreatedAt   time.Time
	ReadAt      *time.Time

	// Of a DecisionKind.
	Policy          *policy.Ref
	PolicyTitle     *string
	Reasons         json.RawMessage // a JSON string or a document
	Hidden          bool            // the decision hides the content
	Automatic       bool            // a rule decided, not a person
	AppealableUntil *time.Time

	// Of an AppealKind.
	Outcome *string // upheld or overturned
	Reply   *string

	// Of an ActionKind.
	Action  *string
	Failure *string // why it failed
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
	pool     *pgxpool.Pool
	now      func() time.Time
	mail     *mail.Server
	messages map[string]map[string]string

	// BaseURL is where the pages are that mail links to; nil for mail without links. Set it
	// before the first use.
	BaseURL *url.URL
	// Issuer is that of the host platform's accounts, which authors of content can be; ""
	// if there is none. Set it before the first use.
	Issuer string
}

// NewStore returns a Store. A nil mail server sends none.
func NewStore(pool *pgxpool.Pool, now func() time.Time, mail *mail.Server) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{pool: pool, now: now, mail: mail, messages: texts}
}

// UseMessages makes the plugins' messages replace the texts of notices. Call it before the
// first use.
func (s *Store) UseMessages(plugins map[string]map[string]string) { s.messages = Messages(plugins) }

// Listener writes notices when a report is resolved and when an appeal is decided and, with
// mail, enqueues tasks that mail them. Both happen exactly once, in the message's transaction.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, Events: []string{event.ReportResolved, event.AppealDecided},
		HandleAll: func(ctx context.Context, tx pgx.Tx, events []event.Event) error {
			b := &pgx.Batch{}
			postgres.QueueGenericPlans(b) // tellAuthors' array would be planned with each event
			err := tx.SendBatch(ctx, b).Close()
			for i := 0; err == nil && i < len(events); i++ {
				err = s.handle(ctx, tx, events[i])
			}
			return err
		}}
}

func (s *Store) handle(ctx context.Context, tx pgx.Tx, e event.Event) error {
	if e.Name == event.AppealDecided {
		return s.tellAppellant(ctx, tx, e)
	}
	resolved, err := event.Decode[event.Resolved](e)
	if err != nil {
		return err
	}
	if resolved.Resolution == "action_taken" {
		if err := s.tellAuthors(ctx, tx, e, resolved); err != nil {
			return err
		}
	}
	return s.tellFound(ctx, tx, e, ReportKind, resolved.Resolution,
		`SELECT r.reporter_id FROM core_moderation_reports r WHERE r.id = $1 AND r.reporter_id IS NOT NULL`, resolved.ReportID)
}

// tellAuthors notifies the authors of the content who have accounts, once for one decision on
// several reports of the content, which is one transaction.
func (s *Store) tellAuthors(ctx context.Context, tx pgx.Tx, e event.Event, resolved event.Resolved) error {
	var authors []uuid.UUID
	var account uuid.UUID
	var decision string
	err := postgres.ForEach(ctx, tx, "find the authors to notify", []any{&account, &decision}, func() error {
		authors = append(authors, account)
		return nil
	}, `SELECT DISTINCT a.account, e.transaction_id::text FROM (SELECT core_author_account(w.plugin_id, w.author, $2::text) AS account
			FROM core_moderation_report_authors w WHERE w.report_id = $1) a, core_moderation_report_events e
		WHERE a.account IS NOT NULL AND e.event_id = $3::uuid`, resolved.ReportID, s.Issuer, e.ID)
	if err != nil || len(authors) == 0 {
		return err
	}
	// The transaction is a parameter of its own, so that PostgreSQL knows how few events it has.
	told, err := postgres.Collect(ctx, tx, "find the authors who know the decision", pgx.RowTo[uuid.UUID],
		`SELECT n.user_id FROM unnest(ARRAY(SELECT o.event_id::text FROM core_moderation_report_events o
				WHERE o.transaction_id = $2::text::xid8 AND o.report_id <> $3)) o (event_id)
			CROSS JOIN LATERAL (SELECT n.user_id FROM core_notices n WHERE n.user_id = ANY ($1) AND n.event_id = o.event_id
				AND n.kind = 'decision' AND n.created_at BETWEEN $4 AND $5 OFFSET 0) n`,
		authors, decision, resolved.ReportID, e.OccurredAt.Add(-sameDecision), e.OccurredAt.Add(sameDecision))
	if err != nil {
		return err
	}
	authors = slices.DeleteFunc(authors, func(id uuid.UUID) bool { return slices.Contains(told, id) })
	return s.tell(ctx, tx, e, DecisionKind, resolved.Resolution, authors)
}

// sameDecision bounds the time between the events of one decision on several reports, since
// the ids of transactions are used again after a restore into another cluster.
const sameDecision = 5 * time.Second

func (s *Store) tellAppellant(ctx context.Context, tx pgx.Tx, e event.Event) error {
	decided, err := event.Decode[event.AppealOutcome](e)
	if err != nil {
		return err
	}
	var resolution string // that stands now; none if the report was reopened
	if err := tx.QueryRow(ctx, `SELECT coalesce(resolution, '') FROM core_moderation_reports WHERE id = $1`, e.ReportID).Scan(&resolution); err != nil {
		return fmt.Errorf("read the report of an appeal: %w", err)
	}
	return s.tellFound(ctx, tx, e, AppealKind, resolution,
		`SELECT a.appellant_id FROM core_moderation_appeals a WHERE a.id = $1 AND a.appellant_id IS NOT NULL`, decided.AppealID)
}

// tellFound writes a notice to each account that the query selects, once per event and account.
func (s *Store) tellFound(ctx context.Context, tx pgx.Tx, e event.Event, kind Kind, resolution, accounts string, args ...any) error {
	users, err := postgres.Collect(ctx, tx, "find whom to notify", pgx.RowTo[uuid.UUID], accounts, args...)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, e, kind, resolution, users)
}

// tell writes a notice to each of the users, once per event and user.
func (s *Store) tell(ctx context.Context, tx pgx.Tx, e event.Event, kind Kind, resolution string, users []uuid.UUID) error {
	for _, user := range users {
		id := uuid.Must(uuid.NewV7())
		tag, err := tx.Exec(ctx, `INSERT INTO core_notices (id, user_id, event_id, report_id, resolution, created_at, kind)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT core_notices_event DO NOTHING`,
			id, user, e.ID, e.ReportID, resolution, e.OccurredAt, kind)
		if err != nil {
			return fmt.Errorf("write notice: %w", err)
		}
		if s.mail == nil || tag.RowsAffected() == 0 {
			continue
		}
		if err := queue.EnqueueTx(ctx, tx, s.now(), queue.Task{
			PluginID: permission.CorePlugin, Name: mailTask, Queue: queue.Outbound, Payload: mailPayload{id.String()},
		}); err != nil {
			return err
		}
	}
	return nil
}

// TellActor writes a notice to the moderator who asked for an action that failed, in the
// transaction that records the failure. requestID is the id of the event of the request.
func (s *Store) TellActor(ctx context.Context, tx pgx.Tx, userID, reportID, requestID string) error {
	return s.tellFound(ctx, tx, event.Event{ID: requestID, ReportID: reportID, OccurredAt: s.now().UTC()}, ActionKind, "",
		"SELECT id FROM core_users WHERE id = $1", userID)
}

// List pages notices, the newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "n.created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "n.id", Kind: paging.UUID},
}

// selectNotices reads the words from the event itself, and the explanation only if it was
// shared, so that words erased there are gone here too.
const selectNotices = `SELECT n.id, n.kind, n.report_id, r.plugin_id, r.target_type, r.target_id, r.title, r.locale, n.resolution,
		CASE WHEN n.kind = 'report' AND (p.payload ->> 'shared')::boolean THEN p.words ->> 'explanation' END, n.created_at, n.read_at,
		CASE WHEN n.kind = 'decision' THEN (p.payload -> 'policy')::text END,
		CASE WHEN n.kind = 'decision' THEN (SELECT v.title FROM core_policies v
			WHERE v.key = p.payload -> 'policy' ->> 'key' AND v.version = (p.payload -> 'policy' ->> 'version')::int) END,
		CASE WHEN n.kind = 'decision' THEN (p.words -> 'reasons')::text END,
		n.kind = 'decision' AND coalesce(r.standing::text, '') LIKE '%"hide"%', e.event_id IS NOT NULL AND e.actor_id IS NULL,
		CASE WHEN n.kind = 'decision' THEN (p.payload ->> 'appealableUntil')::timestamptz END,
		CASE WHEN n.kind = 'appeal' THEN coalesce(p.payload ->> 'outcome', 'overturned') END,
		CASE WHEN n.kind = 'appeal' THEN p.words ->> 'reply' END,
		CASE WHEN n.kind = 'action' THEN p.payload ->> 'action' END,
		CASE WHEN n.kind = 'action' THEN (SELECT convert_from(f.payload, 'UTF8')::json ->> 'reason' FROM core_moderation_report_events f
			WHERE f.report_id = n.report_id AND f.type = 'action_failed' AND (convert_from(f.payload, 'UTF8')::json ->> 'requested')::int = e.sequence) END
	FROM core_notices n
	JOIN core_moderation_reports r ON r.id = n.report_id
	LEFT JOIN core_moderation_report_events e ON e.event_id = n.event_id::uuid
	LEFT JOIN LATERAL (SELECT convert_from(e.payload, 'UTF8')::json AS payload, convert_from(e.evidence, 'UTF8')::json -> 'words' AS words) p ON true `

func scan(row pgx.CollectableRow) (Notice, error) {
	var n Notice
	var cited, reasons *string
	err := row.Scan(&n.ID, &n.Kind, &n.ReportID, &n.Target.PluginID, &n.Target.Type, &n.Target.ID, &n.Target.Title, &n.Locale, &n.Resolution,
		&n.Explanation, &n.CreatedAt, &n.ReadAt, &cited, &n.PolicyTitle, &reasons, &n.Hidden, &n.Automatic, &n.AppealableUntil, &n.Outcome, &n.Reply, &n.Action, &n.Failure)
	if err == nil && cited != nil {
		err = json.Unmarshal([]byte(*cited), &n.Policy)
	}
	if reasons != nil {
		n.Reasons = json.RawMessage(*reasons)
	}
	return n, err
}

// List returns a page of a user's notices, all or the unread ones.
func (s *Store) List(ctx context.Context, userID string, unread bool, r paging.Request) (paging.Page[Notice], error) {
	return sqlpage.List[Notice]{Task: "list notices",
		SQL:  selectNotices + `WHERE n.user_id = $1 AND (NOT $2 OR n.read_at IS NULL)`,
		Args: []any{userID, unread}, Scan: scan,
		Key: func(n Notice) paging.Position { return paging.At(n.CreatedAt, n.ID) }}.Read(ctx, s.pool, r)
}

// MarkRead marks one of the user's notices read. It keeps the time of the first call.
// Somebody else's notice is not_found.
func (s *Store) MarkRead(ctx context.Context, userID, id string) error {
	return postgres.ExecFound(ctx, s.pool, "mark notice",
		`UPDATE core_notices SET read_at = coalesce(read_at, $3) WHERE id = $1 AND user_id = $2`, id, userID, s.now().UTC())
}
