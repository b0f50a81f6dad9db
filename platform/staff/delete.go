package staff

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// Delete removes an entry: not_found, or forbidden by permission.Change.
func (s *Store) Delete(ctx context.Context, by By, kind permission.Kind, id string) error {
	id, err := canonical(id)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		l, e, err := lockEntry(ctx, tx, by, kind, id)
		if err != nil {
			return err
		}
		if err := l.allow(kind, e.User.ID, &e.Entry, nil); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM core_staff_entries WHERE id = $1`, id); err != nil {
			return fmt.Errorf("delete staff entry: %w", err)
		}
		return nil
	})
}

// AllowAccountDeletion tells, in the transaction that deletes an account,
// whether the actor may: their area is users:can_delete, both entries of the
// account fit within what they hold, and the last root stays. The entries stay
// locked until the transaction's end; they go with the account, and the
// history names the actor. It comes before any other statement on the account.
func (s *Store) AllowAccountDeletion(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	userID, err := canonical(userID)
	if err != nil {
		return err
	}
	l, err := lock(ctx, tx, by, nil, &userID, true)
	if err != nil {
		return err
	}
	if err := l.enter(permission.AreaUsersDelete); err != nil {
		return err
	}
	for _, e := range l.entries {
		if e.User.ID != userID {
			continue
		}
		if err := l.allow(e.Kind, userID, &e.Entry, nil); err != nil {
			return err
		}
	}
	return nil
}
