// Package statement stores and sends statements of reasons for the EU's transparency database, one for each decision
// that restricts somebody. Other modules must not import it.
package statement

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/policy"
)

// Status is the status of a statement.
type Status string

// The statuses. A statement is incomplete as long as its policy or its type lacks information.
const (
	Incomplete Status = "incomplete"
	Pending    Status = "pending"
	Sent       Status = "sent"
	Refused    Status = "refused"
	Superseded Status = "superseded" // the decision no longer stood when it was due

	none Status = "none" // the decision restricts nobody so far
)

// Statuses lists all statuses.
var Statuses = []Status{Incomplete, Pending, Sent, Refused, Superseded}

// Kept is a stored statement.
type Kept struct {
	ID         string              `json:"id"` // of the decision's event
	ReportID   string              `json:"reportId"`
	DecidedAt  domain.Time         `json:"decidedAt"`
	DueAt      domain.Time         `json:"dueAt"`
	Status     Status              `json:"status"`
	Missing    []statement.Missing `json:"missing"`
	Faults     []string            `json:"faults"`
	Policy     *string             `json:"policy"` // key/version, nil if the decision cites none
	PluginID   string              `json:"pluginId"`
	TargetType string              `json:"targetType"`
	UUID       *string             `json:"uuid"`
	SentAt     *domain.Time        `json:"sentAt"`
}

// Store stores statements. It is safe for concurrent use.
type Store struct {
	pool     *pgxpool.Pool
	policies *policy.Store
	targets  *registry.Targets
	now      func() time.Time

	database *Database     // nil: no statement is owed
	delay    time.Duration // after a decision
}

// New returns a Store that sends to the database after the delay.
func New(pool *pgxpool.Pool, policies *policy.Store, targets *registry.Targets, database *Database, delay time.Duration, now func() time.Time) *Store {
	return &Store{pool, policies, targets, now, database, delay}
}

// Listener stores the decisions to take action. They are described later, since their effects may follow.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: "docket.statements", Events: []string{event.ReportResolved}, HandleAll: func(ctx context.Context, tx pgx.Tx, events []event.Event) error {
		var ids, reports []string
		var decided, due []time.Time
		for _, e := range events {
			resolved, err := event.Decode[event.Resolved](e)
			if err != nil {
				return err
			}
			if resolved.Resolution != string(report.ActionTaken) {
				continue
			}
			ids, reports = append(ids, e.ID), append(reports, e.ReportID)
			decided, due = append(decided, e.OccurredAt), append(due, e.OccurredAt.Add(s.delay))
		}
		return postgres.Exec(ctx, tx, "note decisions for statements", `INSERT INTO core_statements (id, report_id, decided_at, due_at, look_at)
			SELECT id, report_id, decided_at, due_at, decided_at FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) t (id, report_id, decided_at, due_at)
			ON CONFLICT (id) DO NOTHING`, ids, reports, decided, due)
	}}
}

// Unsent counts the statements of the last 30 days that were due more than a day ago and are not sent, by status.
// It reads the index core_statements_status.
func (s *Store) Unsent(ctx context.Context) (map[Status]int, error) {
	counts := map[Status]int{Incomplete: 0, Refused: 0, Pending: 0} // so that they return to zero
	var status Status
	var n int
	err := postgres.ForEach(ctx, s.pool, "count statements that are not sent", []any{&status, &n}, func() error { counts[status] = n; return nil },
		`SELECT status, count(*) FROM core_statements WHERE status IN ('incomplete', 'refused', 'pending') AND decided_at > $1 AND due_at < $2 GROUP BY 1`,
		s.now().AddDate(0, 0, -30), s.now().AddDate(0, 0, -1))
	return counts, err
}

// List pages statements, using the index on decided_at, or on it and the status.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "decidedAt", Expr: "s.decided_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "s.id", Kind: paging.UUID},
}

const columns = `s.id::text, s.report_id::text, s.decided_at, s.due_at, s.status, s.missing, s.faults, s.policy, s.plugin_id, s.target_type, s.uuid, s.sent_at`

// unseen returns the SQL condition that a statement is not about the target that blind hides, and adds its arguments.
func unseen(blind *permission.Blind, args []any) (condition string, all []any) {
	if blind == nil {
		return "", args
	}
	n := len(args) + 1
	return fmt.Sprintf(` AND NOT EXISTS (SELECT FROM core_moderation_reports b WHERE b.id = s.report_id AND (b.plugin_id, b.target_type, b.target_id) = ($%d, $%d, $%d))`,
		n, n+1, n+2), append(args, blind.PluginID, blind.TargetType, blind.TargetID)
}

// List returns a page of statements; status "" means all. It leaves out statements about the target that blind hides.
func (s *Store) List(ctx context.Context, status Status, blind *permission.Blind, r paging.Request) (paging.Page[Kept], error) {
	of, args := `s.status <> 'none'`, []any{}
	if status != "" {
		of, args = `s.status = $1`, []any{status}
	}
	seen, args := unseen(blind, args)
	return sqlpage.List[Kept]{Task: "list statements", SQL: `SELECT ` + columns + ` FROM core_statements s WHERE ` + of + seen,
		Args: args, Scan: pgx.RowToStructByPos[Kept],
		Key: func(k Kept) paging.Position { return paging.At(time.Time(k.DecidedAt), k.ID) }}.Read(ctx, s.pool, r)
}

// Retry makes the next run send a refused statement again, unless blind hides it. A statement with another status does
// not change.
func (s *Store) Retry(ctx context.Context, id string, blind *permission.Blind) (Kept, error) {
	seen, args := unseen(blind, []any{id, s.now()})
	return postgres.CollectFound(ctx, s.pool, "retry a statement", pgx.RowToStructByPos[Kept], `UPDATE core_statements s
		SET status = CASE s.status WHEN 'refused' THEN 'pending' ELSE s.status END, look_at = CASE s.status WHEN 'refused' THEN $2 ELSE s.look_at END
		WHERE s.id = $1 AND s.status <> 'none'`+seen+` RETURNING `+columns, args...)
}
