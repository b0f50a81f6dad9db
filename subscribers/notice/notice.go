// Package notice notifies reporters of the outcome of their reports, authors of decisions on their content and measures
// on themselves, and appellants of the outcome of their appeals: it writes notices, and mails them if a mail server is
// configured. Every text is a message with a key, see messages.go. Other modules must not import it.
package notice

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections"
)

// Kind is the kind of a notice.
type Kind string

// The kinds: to a reporter about a report, to an author about a decision on their content or a
// measure on themselves, and to an appellant about their appeal.
const (
	ReportKind   Kind = "report"
	DecisionKind Kind = "decision"
	AppealKind   Kind = "appeal"
	MeasureKind  Kind = "measure"
	ActionKind   Kind = "action" // to a moderator, about a failed action or measure
)

// Notice is a message to an account. Notices to authors contain nothing about reporters.
type Notice struct {
	ID          string
	Kind        Kind
	ReportID    string
	Target      Target
	Locale      string  // of the content
	Resolution  string  // "" for a MeasureKind and an ActionKind
	Explanation *string // nil unless the moderator shared it with the reporter
	CreatedAt   time.Time
	ReadAt      *time.Time

	// In a DecisionKind, and in a MeasureKind for an imposed measure.
	Policy          *policy.Ref
	PolicyTitle     *string
	AppealableUntil *time.Time

	// In a DecisionKind.
	Reasons   json.RawMessage // a JSON string or a document
	Hidden    bool            // the decision hides the content
	Automatic bool            // a rule decided, not a person

	Measure *Measure // in a MeasureKind, and in an ActionKind about a measure

	// In an AppealKind.
	Outcome *string // upheld or overturned
	Reply   *string

	// In an ActionKind.
	Action  *string // nil if it is about a measure
	Failure *string // why it failed
}

// Target is the reported content, as the reporter saw it.
type Target struct {
	PluginID string `json:"pluginId"`
	Type     string `json:"type"`
	ID       string `json:"id"`
	Title    string `json:"title"`
}

// Store stores notices.
type Store struct {
	pool     *pgxpool.Pool
	now      func() time.Time
	mail     *mail.Server
	messages atomic.Pointer[map[string]map[string]string]

	// BaseURL is the base of links in mail; nil for mail without links. It must be set before the
	// first use.
	BaseURL *url.URL
	// Issuer is the issuer of the host platform's accounts, which can be authors of content; "" if
	// there is none. It must be set before the first use.
	Issuer string
}

// NewStore returns a Store. A nil mail server sends none.
func NewStore(pool *pgxpool.Pool, now func() time.Time, mail *mail.Server) *Store {
	if now == nil {
		now = time.Now
	}
	s := &Store{pool: pool, now: now, mail: mail}
	s.UseMessages(nil)
	return s
}

// UseMessages replaces texts of notices by the plugins' messages.
func (s *Store) UseMessages(plugins map[string]map[string]string) {
	s.messages.Store(new(withPlugins(plugins)))
}

// Messages returns the texts of notices by language and key, including those of plugins, which take
// precedence. They must not be modified.
func (s *Store) Messages() map[string]map[string]string { return *s.messages.Load() }

// List pages notices, the newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "n.created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "n.id", Kind: paging.UUID},
}

// selectNotices selects notices. It reads texts from the event itself, which omits erased ones, and
// the explanation only if it was shared.
const selectNotices = `SELECT n.id, n.kind, n.report_id, r.plugin_id, r.target_type, r.target_id, r.title, r.locale, n.resolution,
		CASE WHEN n.kind = 'report' AND (p.payload ->> 'shared')::boolean THEN p.words ->> 'explanation' END, n.created_at, n.read_at,
		CASE WHEN n.kind IN ('decision', 'measure') THEN (p.payload -> 'policy')::text END,
		CASE WHEN n.kind IN ('decision', 'measure') THEN (SELECT v.title FROM core_policies v
			WHERE v.key = p.payload -> 'policy' ->> 'key' AND v.version = (p.payload -> 'policy' ->> 'version')::int) END,
		CASE WHEN n.kind = 'decision' THEN (p.words -> 'reasons')::text END,
		CASE WHEN n.kind = 'decision' THEN r.standing END, r.sequence, ` + projections.BehindColumn + `, e.event_id IS NOT NULL AND e.actor_id IS NULL,
		CASE WHEN n.kind = 'decision' THEN (p.payload ->> 'appealableUntil')::timestamptz
			WHEN e.type = 'measure_imposed' THEN (SELECT (convert_from(d.payload, 'UTF8')::json ->> 'appealableUntil')::timestamptz FROM core_moderation_report_events d
				WHERE d.report_id = n.report_id AND d.type = 'resolved' AND d.sequence < e.sequence ORDER BY d.sequence DESC LIMIT 1) END,
		CASE WHEN n.kind = 'appeal' THEN coalesce(p.payload ->> 'outcome', 'overturned') END,
		CASE WHEN n.kind = 'appeal' THEN p.words ->> 'reply' END,
		CASE WHEN n.kind = 'action' THEN p.payload ->> 'action' END,
		CASE WHEN n.kind = 'action' THEN (SELECT coalesce(convert_from(f.evidence, 'UTF8')::json #>> '{words,reason}', convert_from(f.payload, 'UTF8')::json ->> 'reason') FROM core_moderation_report_events f
			WHERE f.report_id = n.report_id AND f.type IN ('action_failed', 'measure_failed') AND (convert_from(f.payload, 'UTF8')::json ->> 'requested')::int = e.sequence) END,
		` + selectMeasure + `
	FROM core_notices n
	JOIN core_moderation_reports r ON r.id = n.report_id
	LEFT JOIN core_moderation_report_events e ON e.event_id = n.event_id::uuid
	LEFT JOIN LATERAL (SELECT convert_from(e.payload, 'UTF8')::json AS payload, convert_from(e.evidence, 'UTF8')::json -> 'words' AS words) p ON true `

func scan(row pgx.CollectableRow) (Notice, error) {
	var n Notice
	var cited, reasons, measured, standing *string
	var now report.State
	var behind projections.Behind
	err := row.Scan(&n.ID, &n.Kind, &n.ReportID, &n.Target.PluginID, &n.Target.Type, &n.Target.ID, &n.Target.Title, &n.Locale, &n.Resolution,
		&n.Explanation, &n.CreatedAt, &n.ReadAt, &cited, &n.PolicyTitle, &reasons, &now.Standing, &now.Sequence, &behind, &n.Automatic, &n.AppealableUntil, &n.Outcome, &n.Reply, &n.Action, &n.Failure,
		&measured, &standing)
	if err == nil {
		_, err = behind.Fold(&now)
	}
	n.Automatic = n.Automatic && n.Kind != MeasureKind // rules do not impose measures
	n.Hidden = n.Kind == DecisionKind && slices.Contains(now.Standing, "hide")
	if err == nil && cited != nil {
		err = json.Unmarshal([]byte(*cited), &n.Policy)
	}
	if err == nil {
		n.Measure, err = readMeasure(measured, standing)
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

// MarkRead marks one of the user's notices read. It keeps the time of the first call. It returns
// not_found for somebody else's notice.
func (s *Store) MarkRead(ctx context.Context, userID, id string) error {
	return postgres.ExecFound(ctx, s.pool, "mark notice",
		`UPDATE core_notices SET read_at = coalesce(read_at, $3) WHERE id = $1 AND user_id = $2`, id, userID, s.now().UTC())
}

// draft is a notice that is not written yet.
type draft struct {
	about      event.Event
	kind       Kind
	resolution string
	user       uuid.UUID
}

// tell writes notices, once per event and user.
func (s *Store) tell(ctx context.Context, tx pgx.Tx, all []draft) error {
	if len(all) == 0 {
		return nil
	}
	var ids, users []uuid.UUID
	var events, reports, resolutions []string
	var times []time.Time
	var kinds []Kind
	for _, d := range all {
		ids, users, kinds = append(ids, uuid.Must(uuid.NewV7())), append(users, d.user), append(kinds, d.kind)
		events, reports, times = append(events, d.about.ID), append(reports, d.about.ReportID), append(times, d.about.OccurredAt)
		resolutions = append(resolutions, d.resolution)
	}
	written, err := postgres.Collect(ctx, tx, "write notices", pgx.RowTo[string],
		`INSERT INTO core_notices (id, user_id, event_id, report_id, resolution, created_at, kind)
		SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[])
		ON CONFLICT ON CONSTRAINT core_notices_event DO NOTHING RETURNING id::text`, ids, users, events, reports, resolutions, times, kinds)
	if err != nil || s.mail == nil {
		return err
	}
	return queue.EnqueueTx(ctx, tx, domain.Map(written, func(id string) queue.Task {
		return queue.Task{PluginID: permission.CorePlugin, Name: mailTask, Queue: queue.Outbound, Payload: mailPayload{id}}
	})...)
}
