package staff

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// AllowAccountDeletion returns an error, in the transaction that deletes an account, unless the actor may delete it:
// the actor has users:can_delete, both entries of the account fit within the actor's own, and it is not the last root.
// It locks the entries until the transaction ends; they are deleted with the account, and the history names the actor.
// It must precede any other statement on the account.
func (s *Store) AllowAccountDeletion(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersDelete, false)
}

// AllowDisabling is AllowAccountDeletion for disabling or enabling an account: the actor needs users:can_manage, and a
// disabled root does not count as a root.
func (s *Store) AllowDisabling(ctx context.Context, tx pgx.Tx, by By, userID string, disabled bool) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersManage, !disabled)
}

// AllowFactorReset is AllowDisabling for removing an account's second factors. Nobody may do so for their own account.
func (s *Store) AllowFactorReset(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersManage, true)
}

// AllowMarking returns an error, in the transaction that marks or unmarks an account as a trusted flagger, unless the
// actor still has users:can_manage. It must precede any other statement on the account.
func (s *Store) AllowMarking(ctx context.Context, tx pgx.Tx, by By) error {
	l, err := lock(ctx, tx, by, nil, nil, false)
	if err != nil {
		return err
	}
	return l.enter(permission.AreaUsersManage)
}

// AllowMuting returns an error, in the transaction that mutes an account, unless both entries of the account fit within
// the actor's own, so that nobody can mute staff with wider permissions. It must precede any other statement on the
// account.
func (s *Store) AllowMuting(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	l, err := lock(ctx, tx, by, nil, &userID, false)
	if err != nil {
		return err
	}
	for _, e := range l.entries {
		if e.User.ID != userID || userID == by.UserID {
			continue
		}
		if err := l.allow(e.Kind, userID, &e.Entry, &e.Entry); err != nil {
			return err
		}
	}
	return nil
}

// allowAccountChange returns an error if the actor may not change the account. stay means that the account's entries
// stay; otherwise they are deleted with it.
func allowAccountChange(ctx context.Context, tx pgx.Tx, by By, userID string, area permission.Area, stay bool) error {
	userID, err := canonical(userID)
	if err != nil {
		return err
	}
	l, err := lock(ctx, tx, by, nil, &userID, true)
	if err != nil {
		return err
	}
	if err := l.enter(area); err != nil {
		return err
	}
	for _, e := range l.entries {
		if e.User.ID != userID {
			continue
		}
		var after *permission.Entry
		if stay {
			after = &e.Entry
		}
		if err := l.allow(e.Kind, userID, &e.Entry, after); err != nil {
			return err
		}
	}
	return nil
}
