package account

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// onlineFor is how long somebody counts as online after the recorded last use of a session.
// An open panel uses its session at least once a minute, which is recorded every five.
const onlineFor = sessionUsedEvery + time.Minute

// OnlineList orders the moderators who are online by name, in code point order.
var OnlineList = paging.List{
	Orderings: []paging.Ordering{{Name: "name", Expr: `(u.name COLLATE "C")`, Kind: paging.Text, Default: paging.Asc}},
	ID:        paging.ID{Expr: "u.id", Kind: paging.UUID},
}

// Online returns a page of the moderators who use a session now. Signing out ends that at
// once, and API tokens do not count.
func (s *Store) Online(ctx context.Context, r paging.Request) (paging.Page[moderation.Person], error) {
	now := s.time()
	return sqlpage.List[moderation.Person]{Task: "list the moderators who are online",
		SQL: `SELECT u.id, u.name FROM core_staff_entries m JOIN core_users u ON u.id = m.user_id
			WHERE m.kind = 'moderator' AND u.disabled_at IS NULL AND EXISTS (SELECT FROM core_sessions s
				WHERE s.user_id = u.id AND s.expires_at > $1 AND coalesce(s.last_used_at, s.created_at) > $2)`,
		Args: []any{now, now.Add(-onlineFor)},
		Scan: func(row pgx.CollectableRow) (moderation.Person, error) {
			var p moderation.Person
			err := row.Scan(&p.ID, &p.Name)
			return p, err
		},
		Key: func(p moderation.Person) paging.Position {
			return paging.Position{Value: paging.TextValue(p.Name), ID: paging.UUIDValue(p.ID)}
		}}.Read(ctx, s.pool, r)
}
