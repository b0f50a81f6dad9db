package account

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres"
)

// onlineFor is how long somebody counts as online after the last recorded use of a session. An open
// panel uses its session at least once a minute, which is recorded every five minutes.
const onlineFor = sessionUsedEvery + time.Minute

// Online returns the first limit of the moderators who use a session now, by name in code point order, and the number
// of all of them. A signed-out session and API tokens do not count.
func (s *Store) Online(ctx context.Context, limit int) (first []moderation.Person, all int, err error) {
	now := s.time()
	first, err = postgres.Collect(ctx, s.pool, "list the moderators who are online", func(row pgx.CollectableRow) (p moderation.Person, err error) {
		err = row.Scan(&p.ID, &p.Name, &all)
		return p, err
	}, `SELECT u.id, u.name, count(*) OVER () FROM core_staff_entries m JOIN core_users u ON u.id = m.user_id
		WHERE m.kind = 'moderator' AND u.disabled_at IS NULL AND EXISTS (SELECT FROM core_sessions s
			WHERE s.user_id = u.id AND s.expires_at > $1 AND coalesce(s.last_used_at, s.created_at) > $2)
		ORDER BY u.name COLLATE "C", u.id LIMIT $3`, now, now.Add(-onlineFor), limit)
	return first, all, err
}
