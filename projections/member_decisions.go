package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// ConcernList pages the decisions that affect an account, the latest first.
var ConcernList = paging.List{
	Orderings: []paging.Ordering{{Name: "decidedAt", Expr: "d.decided_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "r.id", Kind: paging.UUID},
}

// concerning selects the reports whose decisions affect the account $1, with its role; $2 is the
// issuer of the host platform's accounts. Authors see decisions to take action, reporters all
// decisions, and both the decisions that they appealed. The indexes on authors, appellants and
// reporters find the few reports of an account.
const concerning = `(SELECT c.id, coalesce(r.resolved_at, r.updated_at) AS decided_at, CASE
			WHEN c.author AND (c.appealed_as_author OR r.status = 'done' AND r.resolution = 'action_taken') THEN 'author'
			WHEN c.reporter AND (c.appealed_as_reporter OR r.status = 'done') THEN 'reporter' END AS role
		FROM (SELECT x.id, bool_or(x.author) AS author, bool_or(NOT x.author) AS reporter,
				bool_or(x.author AND x.appealed) AS appealed_as_author, bool_or(NOT x.author AND x.appealed) AS appealed_as_reporter
			FROM (SELECT w.report_id AS id, true AS author, false AS appealed FROM core_moderation_report_authors w
					WHERE w.author IN (SELECT $1::text UNION ALL SELECT i.subject FROM core_user_identities i WHERE i.user_id = $1::uuid)
					  AND core_author_account(w.plugin_id, w.author, $2::text) = $1::uuid
				UNION ALL SELECT p.report_id, p.by_role = 'author', true FROM core_moderation_appeals p WHERE p.appellant_id = $1::uuid
				UNION ALL SELECT m.id, false, false FROM core_moderation_reports m WHERE m.reporter_id = $1::uuid AND m.status = 'done') x
			GROUP BY x.id) c
		JOIN core_moderation_reports r ON r.id = c.id) d JOIN core_moderation_reports r ON r.id = d.id`

var concernColumns = stateColumns + `, ` + reasonsColumn + `, d.role, coalesce(r.snapshot ->> 'url', '')`

func scanConcern(row pgx.CollectableRow, more ...any) (moderation.Concern, error) {
	var c moderation.Concern
	var reasons *string
	fields, done := stateFields(&c.State)
	fields = append(fields, &reasons, &c.Role, &c.URL)
	if err := row.Scan(append(fields, more...)...); err != nil {
		return c, err
	}
	_, err := done()
	c.Reasons = rawJSON(reasons)
	return c, err
}

// Concerns returns a page of the decisions that affect the account.
func (p *Reports) Concerns(ctx context.Context, userID string, r paging.Request) (paging.Page[moderation.Concern], error) {
	page, err := sqlpage.List[moderation.Concern]{Task: "list decisions of an account",
		SQL:  `SELECT ` + concernColumns + ` FROM ` + concerning + ` WHERE d.role IS NOT NULL`,
		Args: []any{userID, p.Issuer},
		Scan: func(row pgx.CollectableRow) (moderation.Concern, error) { return scanConcern(row) },
		Key: func(c moderation.Concern) paging.Position {
			at := c.UpdatedAt
			if c.ResolvedAt != nil {
				at = *c.ResolvedAt
			}
			return paging.At(at, c.ID)
		}}.Read(ctx, p.pool, r)
	if err != nil {
		return page, err
	}
	return page, p.addAppeals(ctx, userID, page.Edges)
}

// Concern implements moderation.Appeals.
func (p *Reports) Concern(ctx context.Context, userID, reportID string) (*moderation.Concern, error) {
	found, err := postgres.CollectFound(ctx, p.pool, "find decision", func(row pgx.CollectableRow) (moderation.Concern, error) {
		var snapshot []byte
		c, err := scanConcern(row, &snapshot)
		c.Snapshot = snapshot
		return c, err
	}, `SELECT `+concernColumns+`, r.snapshot FROM `+concerning+` WHERE d.role IS NOT NULL AND r.id = $3`, userID, p.Issuer, reportID)
	if err != nil {
		return nil, err
	}
	one := []moderation.Concern{found}
	err = p.addAppeals(ctx, userID, one)
	return &one[0], err
}

// addAppeals reads the account's appeals of the reports.
func (p *Reports) addAppeals(ctx context.Context, userID string, concerns []moderation.Concern) error {
	if len(concerns) == 0 {
		return nil
	}
	ids, at := make([]string, len(concerns)), make(map[string]int, len(concerns))
	for i, c := range concerns {
		ids[i], at[c.ID] = c.ID, i
	}
	found, err := postgres.Collect(ctx, p.pool, "read appeals", scanStoredAppeal,
		`SELECT `+storedAppealColumns+` FROM core_moderation_appeals a WHERE a.report_id = ANY ($1::uuid[]) AND a.appellant_id = $2`, ids, userID)
	for _, a := range found {
		c := &concerns[at[a.ReportID]]
		c.Appeals = append(c.Appeals, a)
	}
	return err
}
