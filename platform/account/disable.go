package account

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// SetDisabled disables an account, which ends its sessions and links, or enables it again. While it is disabled its
// tokens do not work. It returns not_found if there is no such account. It is idempotent.
func (s *Store) SetDisabled(ctx context.Context, userID string, disabled bool, allow Allow) (User, error) {
	return s.change(ctx, userID, allow, func(tx pgx.Tx, id string) error {
		err := postgres.ExecFound(ctx, tx, "disable account",
			"UPDATE core_users SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, $3) END WHERE id = $1", id, disabled, s.time())
		if err != nil || !disabled {
			return err
		}
		if err := postgres.Exec(ctx, tx, "end links", "DELETE FROM core_account_links WHERE user_id = $1", id); err != nil {
			return err
		}
		return endSessions(ctx, tx, id, "")
	})
}
