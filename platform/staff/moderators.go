package staff

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Moderators implements moderation.Staff. It finds the holders of a permission in the index on
// permissions, and the others in the index on unrestricted.
func (s *Store) Moderators(ctx context.Context, plugin, module, permissionName, search, id string) ([]moderation.Candidate, error) {
	held, err := json.Marshal([]permission.Grant{{Plugin: plugin, Module: module, Permission: permissionName}})
	if err != nil {
		return nil, fmt.Errorf("list moderators: %w", err)
	}
	if id != "" {
		id = orNobody(id)
	}
	return postgres.Collect(ctx, s.pool, "list moderators", func(row pgx.CollectableRow) (moderation.Candidate, error) {
		var (
			c      moderation.Candidate
			grants []byte
		)
		if err := row.Scan(&c.ID, &c.Name, &c.Entry.Unrestricted, &grants); err != nil {
			return moderation.Candidate{}, err
		}
		var err error
		c.Entry.Grants, err = readGrants(grants)
		return c, err
	}, `SELECT u.id, u.name, e.unrestricted, e.permissions
		FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id
		WHERE e.kind = 'moderator' AND u.disabled_at IS NULL AND (e.unrestricted OR e.permissions @> $1)
		  AND (btrim($4) = '' OR to_tsvector('simple', translate(u.name, '@._+/:,''-', '         ')) @@ to_tsquery('simple', $2))
		  AND ($3 = '' OR e.user_id = nullif($3, '')::uuid)
		ORDER BY u.name COLLATE "C", u.id`, held, postgres.NameQuery(search), id, search)
}

// orNobody returns the id, or an id that no user has if it is malformed.
func orNobody(id string) string {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return uuid.Nil.String()
	}
	return parsed.String()
}
