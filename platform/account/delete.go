package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// deletionRounds bounds how often a deletion starts over because a request in
// flight has referred to the account anew. It can no longer sign in, so one
// round more is enough but for bad luck.
const deletionRounds = 5

// Deletion is what the other parts of Docket say and do about the deletion of
// an account.
type Deletion struct {
	// Allow tells whether it may be, in the transaction that does it.
	Allow func(ctx context.Context, tx pgx.Tx) error
	// Detach takes the account out of every report. It may be called again.
	Detach func(ctx context.Context) error
}

// Delete deletes an account: not_found when there is none, or what Allow says.
// The ways into it end first, the reports let go of it next, its row goes last
// (design section 3). Stopped on the way, it is finished by another call.
func (s *Store) Delete(ctx context.Context, userID string, d Deletion) error {
	if _, err := uuid.Parse(userID); err != nil {
		return domain.NotFound()
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := d.Allow(ctx, tx); err != nil {
			return err
		}
		return endAccess(ctx, tx, userID)
	})
	if err != nil {
		return err
	}
	for range deletionRounds {
		if err := d.Detach(ctx); err != nil {
			return fmt.Errorf("take account %s out of its reports: %w", userID, err)
		}
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := d.Allow(ctx, tx); err != nil {
				return err
			}
			return s.DeleteAccount(ctx, tx, userID)
		})
		if !foreignKeyBroken(err) {
			return err
		}
	}
	return err
}

// endAccess leaves no way into the account; not_found when it is gone already.
func endAccess(ctx context.Context, tx pgx.Tx, userID string) error {
	tag, err := tx.Exec(ctx, "UPDATE core_users SET password_hash = NULL WHERE id = $1", userID)
	if err == nil && tag.RowsAffected() == 0 {
		return domain.NotFound()
	}
	for _, end := range []string{
		"DELETE FROM core_sessions WHERE user_id = $1",
		"DELETE FROM core_api_tokens WHERE user_id = $1",
		"UPDATE core_user_identities SET user_id = NULL WHERE user_id = $1",
	} {
		if err == nil {
			_, err = tx.Exec(ctx, end, userID)
		}
	}
	if err != nil {
		return fmt.Errorf("end access to account: %w", err)
	}
	return nil
}

// DeleteAccount removes the account with its sessions and tokens, in the
// caller's transaction; not_found when it is gone already. Identities at the
// host platform stay without an account, so that they make no other one. What
// the account's reports lose is the use case's to do, before this.
func (s *Store) DeleteAccount(ctx context.Context, tx pgx.Tx, userID string) error {
	if _, err := uuid.Parse(userID); err != nil {
		return domain.NotFound()
	}
	tag, err := tx.Exec(ctx, "DELETE FROM core_users WHERE id = $1", userID)
	if err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return domain.NotFound()
	}
	return nil
}
