package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// MeasureList pages measures, by the indexes on imposed_at and until.
var MeasureList = paging.List{
	Orderings: []paging.Ordering{
		{Name: "imposedAt", Expr: "m.imposed_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "until", Expr: "m.until", Kind: paging.Time, Nullable: true},
	},
	ID: paging.ID{Expr: "m.id", Kind: paging.UUID},
}

// namedAuthors is the SQL for the authors in the row of a report r.
const namedAuthors = `(SELECT CASE json_typeof(n) WHEN 'array' THEN n ELSE '[]' END FROM (SELECT coalesce(r.authors, r.snapshot -> 'authors') AS n) n)`

// storedMeasureColumns read the author's name from the snapshot; it is null once the snapshot is erased. The
// placeholder is the issuer of the host platform's accounts.
const storedMeasureColumns = measureColumns + `, r.version,
	(SELECT a ->> 'name' FROM json_array_elements(` + namedAuthors + `) a WHERE a ->> 'id' = m.author LIMIT 1),
	u.id::text, u.name, (SELECT i.name FROM core_users i WHERE i.id = m.imposed_by)`

const storedMeasureJoins = `core_moderation_reports r ON r.id = m.report_id
	LEFT JOIN core_users u ON u.id = core_author_account(m.plugin_id, m.author, ?)`

func scanStoredMeasure(row pgx.CollectableRow) (moderation.StoredMeasure, error) {
	var m measureOf
	var s moderation.StoredMeasure
	var account, name, imposer *string
	fields, done := measureFields(&m)
	err := row.Scan(append(fields, &s.Version, &s.Name, &account, &name, &imposer)...)
	done()
	s.Measure, s.ReportID = m.Measure, m.reportID
	s.Account, s.Imposer = person(account, name), person(m.ImposedBy, imposer)
	return s, err
}

// MeasureFilter narrows a list of measures. Its zero value selects all.
type MeasureFilter struct {
	StandingAt time.Time // only those that stand at that time; zero means all
	Ended      bool      // only those that have ended
	Kinds      []measure.Kind
	AuthorID   string
	PluginID   string
}

func (p *Reports) selectMeasures() squirrel.SelectBuilder {
	return psql.Select(storedMeasureColumns).From("core_moderation_measures m").JoinClause("JOIN "+storedMeasureJoins, p.Issuer)
}

// ListMeasures returns a page of the measures of reports within the coverage.
func (p *Reports) ListMeasures(ctx context.Context, c permission.Coverage, f MeasureFilter, r paging.Request) (paging.Page[moderation.StoredMeasure], error) {
	q := p.selectMeasures().LeftJoin(JoinTarget).Where(present.covered(c))
	if !f.StandingAt.IsZero() {
		q = q.Where("m.ended_at IS NULL AND (m.until IS NULL OR m.until > ?)", f.StandingAt)
	}
	if f.Ended {
		q = q.Where("m.ended_at IS NOT NULL")
	}
	if len(f.Kinds) > 0 {
		q = q.Where(squirrel.Eq{"m.kind": f.Kinds})
	}
	if f.AuthorID != "" {
		q = q.Where(squirrel.Eq{"m.author": f.AuthorID})
	}
	if f.PluginID != "" {
		q = q.Where(squirrel.Eq{"m.plugin_id": f.PluginID})
	}
	found, err := postgres.CollectBuilt(ctx, p.pool, "list measures", scanStoredMeasure)(sqlpage.Apply(r, q).ToSql())
	return paging.NewPage(found, r, func(m moderation.StoredMeasure) paging.Position {
		if r.OrderBy() == "until" {
			return paging.Position{Value: paging.NullTimeValue(m.Until), ID: paging.UUIDValue(m.ID)}
		}
		return paging.At(m.ImposedAt, m.ID)
	}), err
}

// Measure implements moderation.Measures.
func (p *Reports) Measure(ctx context.Context, id string) (m moderation.StoredMeasure, err error) {
	sql, args, err := p.selectMeasures().Where("m.id = ?::uuid", id).ToSql()
	if err != nil {
		return m, err
	}
	return postgres.CollectFound(ctx, p.pool, "find measure", scanStoredMeasure, sql, args...)
}

// AuthorsOf implements moderation.Measures.
func (p *Reports) AuthorsOf(ctx context.Context, reportID string) ([]moderation.AuthorView, error) {
	return postgres.Collect(ctx, p.pool, "read the authors of a report", pgx.RowToStructByPos[moderation.AuthorView],
		`SELECT a ->> 'id', a ->> 'name' FROM core_moderation_reports r, json_array_elements(`+namedAuthors+`) WITH ORDINALITY a (a, n)
		WHERE r.id = $1 AND a ->> 'id' <> '' ORDER BY n`, reportID)
}

// Standing implements moderation.Measures.
func (p *Reports) Standing(ctx context.Context, tx pgx.Tx, of measure.Author, without []string) ([]measure.Standing, error) {
	if err := postgres.Exec(ctx, tx, "lock an author", `SELECT pg_advisory_xact_lock(hashtextextended('docket:author:' || $1 || ':' || $2, 0))`, of.PluginID, of.ID); err != nil {
		return nil, err
	}
	return postgres.Collect(ctx, tx, "read what stands", pgx.RowToStructByPos[measure.Standing], `SELECT m.kind, m.until FROM core_moderation_measures m
		WHERE m.author = $2 AND m.plugin_id = $1 AND m.ended_at IS NULL AND m.report_id <> ALL ($3::uuid[])`, of.PluginID, of.ID, without)
}

// DueMeasures implements moderation.Measures. The first branch uses the partial index on due measures; the second reads
// all standing measures, each with its report by the primary key.
func (p *Reports) DueMeasures(ctx context.Context, now time.Time, without []string, limit int) ([]string, error) {
	return postgres.Collect(ctx, p.pool, "find measures that are due", pgx.RowTo[string], `SELECT DISTINCT report_id::text FROM (
		(SELECT m.report_id FROM core_moderation_measures m WHERE m.ended_at IS NULL AND coalesce(m.until, 'infinity'::timestamptz) <= $1
			AND m.report_id <> ALL ($2::uuid[]) ORDER BY coalesce(m.until, 'infinity'::timestamptz) LIMIT $3)
		UNION ALL (SELECT m.report_id FROM core_moderation_measures m JOIN core_moderation_reports r ON r.id = m.report_id
			WHERE m.ended_at IS NULL AND r.resolution IS DISTINCT FROM 'action_taken' AND m.report_id <> ALL ($2::uuid[]) LIMIT $3)) d LIMIT $3`, now, domain.OrNone(without), limit)
}

// LadderMeasures implements moderation.Measures.
func (p *Reports) LadderMeasures(ctx context.Context) ([]moderation.StoredMeasure, error) {
	return postgres.Collect(ctx, p.pool, "find measures of the ladder", func(row pgx.CollectableRow) (moderation.StoredMeasure, error) {
		m, err := scanMeasure(row)
		return moderation.StoredMeasure{Measure: m.Measure, ReportID: m.reportID}, err
	}, `SELECT `+measureColumns+` FROM core_moderation_measures m WHERE m.ended_at IS NULL AND m.because = 'ladder'
		AND EXISTS (SELECT FROM core_moderation_ended_decisions d WHERE d.author = m.author AND d.plugin_id = m.plugin_id)`)
}

// StrikeDecisions implements moderation.Measures. It reads nothing if no policy gives strikes.
func (p *Reports) StrikeDecisions(ctx context.Context, authors []measure.Author, at time.Time, without string, blind *permission.Blind) (map[measure.Author][]measure.Decision, error) {
	plugins, ids := make([]string, len(authors)), make([]string, len(authors))
	for i, a := range authors {
		plugins[i], ids[i] = a.PluginID, a.ID
	}
	return p.strikeDecisions(ctx, `SELECT DISTINCT n.* FROM unnest($3::text[], $4::text[]) n (plugin, author)`, at, without, blind, plugins, ids)
}

// strikeDecisions reads the decisions on the authors that the query authors selects, with args from $3. It uses
// core_moderation_report_authors and the primary key of core_moderation_ended_decisions, both of which begin with the
// author.
func (p *Reports) strikeDecisions(ctx context.Context, authors string, at time.Time, without string, blind *permission.Blind, args ...any) (map[measure.Author][]measure.Decision, error) {
	all := map[measure.Author][]measure.Decision{}
	var a measure.Author
	var d measure.Decision
	args = append([]any{at, without}, args...)
	seen := ""
	if blind != nil {
		n := len(args)
		seen = fmt.Sprintf(` AND (r.plugin_id, r.target_type, r.target_id) <> ($%d, $%d, $%d)`, n+1, n+2, n+3)
		args = append(args, blind.PluginID, blind.TargetType, blind.TargetID)
	}
	err := postgres.ForEach(ctx, p.pool, "read decisions that give strikes", []any{&a.PluginID, &a.ID, &d.ID, &d.DecidedAt, &d.EndedAt, &d.Strikes, &d.Days}, func() error {
		all[a] = append(all[a], d)
		return nil
	}, `SELECT n.plugin, n.author, d.id, d.decided_at, d.ended_at, s.strikes, s.days FROM (`+authors+`) n CROSS JOIN LATERAL (
			SELECT coalesce(r.decision ->> 'id', r.id || '/' || (r.decision ->> 'sequence')) AS id, r.resolved_at AS decided_at, NULL::timestamptz AS ended_at,
				r.decision -> 'policy' ->> 'key' AS key, (r.decision -> 'policy' ->> 'version')::int AS version
			FROM core_moderation_report_authors w JOIN core_moderation_reports r ON r.id = w.report_id
			WHERE w.author = n.author AND w.plugin_id = n.plugin AND r.status = 'done' AND r.resolution = 'action_taken' AND r.id::text <> $2 AND r.resolved_at <= $1`+seen+`
			UNION ALL SELECT e.decision_id, e.decided_at, e.ended_at, e.policy_key, e.policy_version FROM core_moderation_ended_decisions e
			WHERE e.author = n.author AND e.plugin_id = n.plugin AND e.report_id::text <> $2 AND e.decided_at <= $1 AND e.ended_at > $1
		) d JOIN core_policy_strikes s ON s.key = d.key AND s.version = d.version
		WHERE s.strikes > 0 AND EXISTS (SELECT FROM core_policy_strikes WHERE strikes > 0)`, args...)
	return all, err
}
