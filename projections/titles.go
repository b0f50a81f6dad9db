package projections

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Titles returns the titles of the reports within the coverage, by id.
func (p *Reports) Titles(ctx context.Context, c permission.Coverage, ids []string) (map[string]string, error) {
	sql, args, err := psql.Select("r.id::text", "r.title").From("core_moderation_reports r").LeftJoin(JoinTarget).
		Where(squirrel.Expr("r.id = ANY (?::uuid[])", ids)).Where(present.covered(c)).ToSql()
	if err != nil {
		return nil, err
	}
	titles := make(map[string]string, len(ids))
	var id, title string
	return titles, postgres.ForEach(ctx, p.pool, "read titles of reports", []any{&id, &title}, func() error {
		titles[id] = title
		return nil
	}, sql, args...)
}
