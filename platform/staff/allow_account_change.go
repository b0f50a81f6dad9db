package staff

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// AllowAccountDeletion reports, in the transaction that deletes an account, whether the
// actor may delete it: the actor has users:can_delete, both entries of the account fit
// within the actor's own, and it is not the last root. It locks the entries until the
// transaction ends; they are deleted with the account, and the history names the actor.
// It must precede any other statement on the account.
func (s *Store) AllowAccountDeletion(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersDelete, false)
}

// AllowDisabling is AllowAccountDeletion for an account that is disabled, or enabled
// again: the actor has users:can_manage, and a root who is disabled is no root.
func (s *Store) AllowDisabling(ctx context.Context, tx pgx.Tx, by By, userID string, disabled bool) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersManage, !disabled)
}

// AllowFactorReset is AllowDisabling for an account whose second factors are taken away. Nobody does
// that to their own account.
func (s *Store) AllowFactorReset(ctx context.Context, tx pgx.Tx, by By, userID string) error {
	return allowAccountChange(ctx, tx, by, userID, permission.AreaUsersManage, true)
}

// AllowMarking reports, in the transaction that marks an account as a trusted flagger or takes the mark
// away, whether the actor still has users:can_manage. It must precede any other statement on the account.
func (s *Store) AllowMarking(ctx context.Context, tx pgx.Tx, by By) error {
	l, err := lock(ctx, tx, by, nil, nil, false)
	if err != nil {
		return err
	}
	return l.enter(permission.AreaUsersManage)
}

// AllowMuting reports, in the transaction that mutes an account, whether both entries of the
// account fit within the actor's own, so that nobody takes the weight from reports of staff
// with wider rights. It must precede any other statement on the account.
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

// allowAccountChange returns an error if the actor may not change the account. The account's entries
// stay if stay is set; otherwise they go with it.
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
