package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Awaiting returns the requested actions without an outcome of at most limit reports whose ids
// follow after, in their order; after "" means from the first. It reads the partial index
// core_moderation_reports_awaiting.
func (p *Reports) Awaiting(ctx context.Context, after string, limit int) ([]target.RemotePayload, error) {
	return postgres.Collect(ctx, p.pool, "find requested actions", pgx.RowToStructByPos[target.RemotePayload], `SELECT r.id::text, (a.action->>'sequence')::int
		FROM (SELECT id, pending_actions FROM core_moderation_reports
			WHERE pending_actions IS NOT NULL AND id > coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000')
			ORDER BY id LIMIT $2) r, json_array_elements(r.pending_actions) AS a (action)
		ORDER BY r.id`, after, limit)
}
