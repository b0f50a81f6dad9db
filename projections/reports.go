package projections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
)

// Reports reads reports, their lists and their timelines. It implements moderation.Reports
// and is safe for concurrent use.
type Reports struct {
	pool *pgxpool.Pool
	// Issuer is the issuer of the host platform's accounts, which can be authors of content; "" if there is none. It
	// must be set before the first use.
	Issuer string
	// PassKey is the secret for marks of passed cases; without it, anybody who can read the marks can find out who
	// passed what. It must be set before the first use.
	PassKey []byte
	// Lists reads lists and counts: from a replica if there is one. It must be set before the first use.
	Lists postgres.Reader
}

// NewReports returns Reports that read through the pool.
func NewReports(pool *pgxpool.Pool) *Reports { return &Reports{pool: pool, Lists: pool} }

// peopleColumns are the names of the report's three accounts.
const (
	peopleColumns = `ur.name, ua.name, uv.name`
	peopleJoins   = ` LEFT JOIN core_users ur ON ur.id = r.reporter_id
		LEFT JOIN core_users ua ON ua.id = r.assignee_id
		LEFT JOIN core_users uv ON uv.id = r.resolver_id`
	// openOnTarget counts the open reports of the target, by the partial index on open reports.
	openOnTarget = `(SELECT count(*) FROM core_moderation_reports o WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type
		AND o.target_id = r.target_id AND o.status <> 'done')`
	joinOpenOnTargets = ` JOIN on_targets n ON n.plugin_id = r.plugin_id AND n.target_type = r.target_type AND n.target_id = r.target_id`
	// reasonsColumn reads the reasons of a decision from its event, by the unique index on (report_id, sequence).
	// Erased reasons are null.
	reasonsColumn = `(SELECT (convert_from(e.evidence, 'UTF8')::json -> 'words' -> 'reasons')::text FROM core_moderation_report_events e
		WHERE e.report_id = r.id AND e.sequence = CASE
			WHEN r.folded <> r.sequence THEN (SELECT max(d.sequence) FROM core_moderation_report_events d
				WHERE d.report_id = r.id AND d.type = 'resolved' AND d.sequence <= r.sequence AND r.status = 'done')
			WHEN (r.decision ->> 'reasoned')::boolean THEN (r.decision ->> 'sequence')::int END)`
	// authorsColumn reads the authors of the content. An erasure leaves their ids.
	authorsColumn = `(` + cases.Authors + `)::text`
	// heldByColumn reads the name of the held decision's maker, and heldWordsColumn its texts from its event, as
	// reasonsColumn does.
	heldByColumn    = `CASE WHEN r.held IS NOT NULL THEN (SELECT u.name FROM core_users u WHERE u.id = (r.held ->> 'by')::uuid) END`
	heldWordsColumn = `CASE WHEN r.held IS NOT NULL THEN (SELECT convert_from(e.evidence, 'UTF8')::json -> 'words'
		FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.sequence = (r.held ->> 'sequence')::int) END`
	// detailColumns are the columns of storedFields besides the state, its scope, the people and the open reports.
	detailColumns = authorsColumn + `, ` + reasonsColumn + `, ` + heldByColumn + `, ` + escalationColumn
	// noticeColumn reads the sender of a notice from its event, as reasonsColumn does.
	noticeColumn = `CASE WHEN r.source = 'notice' THEN (SELECT convert_from(e.evidence, 'UTF8')::json -> 'words' -> 'notice'
		FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.sequence = 1) END`
	// flaggerColumn reads the name of a trusted flagger's organisation in the same way. It is null if the reporter is
	// deleted.
	flaggerColumn = `CASE WHEN r.source = 'trusted_flagger' AND r.reporter_id IS NOT NULL THEN (SELECT convert_from(e.evidence, 'UTF8')::json -> 'words' ->> 'flagger'
		FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.sequence = 1) END`
	// pinners reads the names of the people who pinned notes, by id.
	pinners = `CASE WHEN r.pins IS NOT NULL THEN (SELECT json_object_agg(u.id, u.name) FROM core_users u
		WHERE u.id IN (SELECT (p ->> 'by')::uuid FROM json_array_elements(r.pins) p)) END`
	// refiled tests, by the same index, whether the reporter of a done report has an open
	// report of the same target.
	refiled = `(r.status = 'done' AND EXISTS (SELECT FROM core_moderation_reports o WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type
		AND o.target_id = r.target_id AND o.status <> 'done' AND o.reporter_id = r.reporter_id))`
)

// withOpenOnTargets returns the WITH clause that names the result of a query for reports page, and counts openOnTarget
// once per target, which may have thousands of reports.
func withOpenOnTargets(sql string) string {
	return `WITH page AS MATERIALIZED (` + sql + `), on_targets AS MATERIALIZED (SELECT r.*, ` + openOnTarget + ` AS open
		FROM (SELECT DISTINCT plugin_id, target_type, target_id FROM page) r) `
}

// Find implements moderation.Reports: one query by primary key.
func (p *Reports) Find(ctx context.Context, id string) (*moderation.Stored, error) {
	b, s := &pgx.Batch{}, moderation.Stored{}
	queueState(b, "", id, &s.State, &s.Scope)
	if err := p.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("find report: %w", err)
	}
	if s.ID == "" {
		return nil, nil
	}
	return &s, nil
}

// FindWhole implements moderation.Reports: one round trip.
func (p *Reports) FindWhole(ctx context.Context, id string) (whole *moderation.Stored, first paging.Page[moderation.Entry], err error) {
	b := &pgx.Batch{}
	b.Queue(`SELECT `+stateColumns+`, t.scope_family, t.scope_id, `+peopleColumns+`, `+openOnTarget+`, `+detailColumns+`, `+refiled+`, `+pinners+`, `+heldWordsColumn+`, `+noticeColumn+`, `+flaggerColumn+`, `+hiddenByColumn+`, r.signals, r.snapshot
		FROM core_moderation_reports r LEFT JOIN `+JoinTarget+peopleJoins+` WHERE r.id = $1`, id).QueryRow(func(row pgx.Row) error {
		whole = new(moderation.Stored)
		fields, done := storedFields(whole)
		return errors.Join(row.Scan(append(fields, &whole.Refiled, &whole.Pinners, &whole.HeldWords, &whole.Notice, &whole.Flagger, &whole.HidingRule, &whole.Signals, (*[]byte)(&whole.Snapshot))...), done())
	})
	timeline(id).Queue(b, TimelineList.First(paging.DefaultSize), &first)
	switch err := p.pool.SendBatch(ctx, b).Close(); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, first, nil
	case err != nil:
		return nil, first, fmt.Errorf("find report: %w", err)
	}
	return whole, first, nil
}

// storedFields returns the destinations of stateColumns, the present scope, the people, the
// number of open reports and detailColumns. done must be called after the scan.
func storedFields(s *moderation.Stored) (fields []any, done func() error) {
	var family, id, reporter, assignee, resolver, authors, reasons, holder *string
	var escalated *moderation.EscalationDetails
	fields, folded := stateFields(&s.State)
	return append(fields, &family, &id, &reporter, &assignee, &resolver, &s.OpenReportsOnTarget, &authors, &reasons, &holder, &escalated), func() error {
		s.Reasons, s.Scope, s.Authors = rawJSON(reasons), resource(family, id), authorsIn(authors)
		s.Escalated = domain.OrEmpty(escalated)
		_, err := folded()
		s.Reporter, s.Assignee, s.Resolver = person(s.ReporterID, reporter), person(s.AssigneeID, assignee), person(s.ResolverID, resolver)
		if h := s.HeldDecision; h != nil {
			s.HeldBy = person(&h.By, holder)
		}
		return err
	}
}

// maxListedAuthors is how many authors of a report lists name.
const maxListedAuthors = 10

// authorsIn parses authors of content. It skips malformed ones.
func authorsIn(stored *string) []moderation.AuthorView {
	var all []moderation.AuthorView
	if stored == nil || json.Unmarshal([]byte(*stored), &all) != nil {
		return nil
	}
	all = slices.DeleteFunc(all, func(a moderation.AuthorView) bool { return a.ID == "" })
	return all[:min(len(all), maxListedAuthors)]
}

func scanStored(row pgx.CollectableRow) (s moderation.Stored, err error) {
	fields, done := storedFields(&s)
	err = errors.Join(row.Scan(fields...), done())
	return s, err
}

// rawJSON returns JSON that was read as text, or nil.
func rawJSON(text *string) json.RawMessage {
	if text == nil {
		return nil
	}
	return json.RawMessage(*text)
}

func person(id, name *string) *moderation.Person {
	if id == nil || name == nil {
		return nil
	}
	return &moderation.Person{ID: *id, Name: *name}
}

// Note implements moderation.Reports.
func (p *Reports) Note(ctx context.Context, reportID, noteID string) (report.Note, error) {
	return postgres.CollectFound(ctx, p.pool, "find note", scanNote, selectNote, noteID, reportID)
}

// HasFiled reports whether an account has filed a report within the coverage.
func (p *Reports) HasFiled(ctx context.Context, c permission.Coverage, userID string) (filed bool, err error) {
	err = postgres.ScanBuilt(ctx, p.pool, "find a report by an account", &filed)(psql.Select("1").From("core_moderation_reports r").LeftJoin(JoinTarget).
		Where(squirrel.Expr("r.reporter_id = ?::uuid", userID)).Where(present.covered(c)).
		Prefix("SELECT EXISTS (").Suffix(")").ToSql())
	return filed, err
}

// Overdue implements moderation.Reports. It reads the partial index
// core_moderation_reports_unannounced.
func (p *Reports) Overdue(ctx context.Context, now time.Time, limit int) ([]string, error) {
	return postgres.Collect(ctx, p.pool, "find overdue reports", pgx.RowTo[string], `SELECT id::text FROM core_moderation_reports
		WHERE due_at IS NOT NULL AND NOT overdue AND status <> 'done' AND due_at <= $1 ORDER BY due_at LIMIT $2`, now, limit)
}

// LapsedClaims implements moderation.Reports. It walks the claimed reports by the index on the status and reads the
// events of each. Times are compared with the database's clock. Events show when assignees touched a report, whichever
// release recorded them.
func (p *Reports) LapsedClaims(ctx context.Context, untouched time.Duration, after moderation.LapsedClaim, limit int) ([]moderation.LapsedClaim, error) {
	return postgres.Collect(ctx, p.pool, "find lapsed claims", pgx.RowToStructByPos[moderation.LapsedClaim], selectLapsed,
		untouched, after.CreatedAt, domain.OrNull(after.ReportID), limit)
}

const selectLapsed = `SELECT r.id::text, r.created_at, r.sequence FROM core_moderation_reports r
	WHERE r.status = 'in_progress' AND r.assignee_id IS NOT NULL AND (r.created_at, r.id) > ($2::timestamptz, coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
		AND NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.occurred_at > now() - $1::interval
			AND (e.actor_id = r.assignee_id OR e.type IN ('assigned', 'reopened')))
	ORDER BY r.created_at, r.id LIMIT $4`

// LatestOverdue returns the latest missed deadline of an open report within the coverage; nil if there is none. It
// reads the partial index on deadlines.
func (p *Reports) LatestOverdue(ctx context.Context, c permission.Coverage) (at *time.Time, err error) {
	err = postgres.ScanBuilt(ctx, p.Lists, "find the latest overdue report", &at)(Filter{Overdue: true}.where(psql.Select("max(r.due_at)").
		From("core_moderation_reports r")).LeftJoin(JoinTarget).Where("NOT r.muted").Where(present.covered(c)).ToSql())
	return at, err
}

// SetScope implements moderation.Reports. It does not overwrite a scope that was stored after the report was read,
// since that one is at least as recent.
func (p *Reports) SetScope(ctx context.Context, t report.Target, before *scope.Resource, now scope.Resource) error {
	family, id := resourceColumns(before)
	return postgres.Exec(ctx, p.pool, "store the scope of a target", `UPDATE core_moderation_targets SET scope_family = $4, scope_id = $5, updated_at = now()
		WHERE plugin_id = $1 AND target_type = $2 AND target_id = $3 AND (scope_family, scope_id) IS NOT DISTINCT FROM ($6, $7)`,
		t.PluginID, t.Type, t.ID, now.Family, now.ID, family, id)
}

// FindAll implements moderation.Cases. It does not count the open reports of the target.
func (p *Reports) FindAll(ctx context.Context, ids []string) (map[string]*moderation.Stored, error) {
	return p.findAll(ctx, `SELECT `+stateColumns+`, t.scope_family, t.scope_id, `+peopleColumns+`, 0, `+detailColumns+`
		FROM core_moderation_reports r LEFT JOIN `+JoinTarget+peopleJoins+` WHERE r.id = ANY ($1::uuid[])`, ids)
}

// findCounted is FindAll with the number of open reports of the targets.
func (p *Reports) findCounted(ctx context.Context, ids []string) (map[string]*moderation.Stored, error) {
	return p.findAll(ctx, withOpenOnTargets(`SELECT * FROM core_moderation_reports WHERE id = ANY ($1::uuid[])`)+
		`SELECT `+stateColumns+`, t.scope_family, t.scope_id, `+peopleColumns+`, n.open, `+detailColumns+`
		FROM page r LEFT JOIN `+JoinTarget+joinOpenOnTargets+peopleJoins, ids)
}

func (p *Reports) findAll(ctx context.Context, query string, ids []string) (map[string]*moderation.Stored, error) {
	stored, err := postgres.Collect(ctx, p.pool, "find reports", scanStored, query, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*moderation.Stored, len(stored))
	for i, s := range stored {
		found[s.ID] = &stored[i]
	}
	return found, nil
}

// Awaiting returns the requested actions without an outcome of at most limit reports, sorted by id and with ids greater
// than after; after "" means from the first. It leaves out the reports of the plugins except. It reads the partial
// index core_moderation_reports_awaiting.
func (p *Reports) Awaiting(ctx context.Context, after string, limit int, except ...string) ([]target.RemotePayload, error) {
	return postgres.Collect(ctx, p.pool, "find requested actions", pgx.RowToStructByPos[target.RemotePayload], `SELECT r.id::text, (a.action->>'sequence')::int
		FROM (SELECT id, pending_actions FROM core_moderation_reports
			WHERE pending_actions IS NOT NULL AND id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000')
				AND plugin_id <> ALL (coalesce($3::text[], '{}'))
			ORDER BY id LIMIT $2) r, json_array_elements(r.pending_actions) AS a (action)
		ORDER BY r.id`, after, limit, except)
}
