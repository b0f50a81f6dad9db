package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// deletionAttempts is how often a deletion starts over because a concurrent request referred to the
// account again. Nobody can sign in to it any more, so one repetition is almost always enough.
const deletionAttempts = 5

// Deletion is what the other parts of Docket contribute to the deletion of an account.
type Deletion struct {
	Allow Allow
	// Deleted, if not nil, is called at the end of the transaction.
	Deleted func(ctx context.Context, tx pgx.Tx) error
	// Detach removes the account from every report. It may be called again.
	Detach func(ctx context.Context) error
}

// Delete deletes an account. It returns not_found if there is none, or the error of Allow. It first
// ends all access to the account, then detaches its reports, and deletes its row last. If it is
// interrupted, another call completes it.
func (s *Store) Delete(ctx context.Context, userID string, d Deletion) error {
	userID, err := parseID(userID)
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := d.Allow(ctx, tx); err != nil {
			return err
		}
		return endAccess(ctx, tx, userID)
	})
	if err != nil {
		return err
	}
	for range deletionAttempts {
		if err := d.Detach(ctx); err != nil {
			return fmt.Errorf("take account %s out of its reports: %w", userID, err)
		}
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := d.Allow(ctx, tx); err != nil {
				return err
			}
			// Identities at the host platform stay without an account, so that they are not used to create
			// another one.
			err := postgres.ExecFound(ctx, tx, "delete account", "DELETE FROM core_users WHERE id = $1", userID)
			if err != nil || d.Deleted == nil {
				return err
			}
			return d.Deleted(ctx, tx)
		})
		if !postgres.ForeignKeyBroken(err) {
			return err
		}
	}
	return err
}

// endAccess removes every way to sign in to the account. It returns not_found if the account does
// not exist.
func endAccess(ctx context.Context, tx pgx.Tx, userID string) error {
	const task = "end access to account"
	if err := postgres.ExecFound(ctx, tx, task, "UPDATE core_users SET password_hash = NULL WHERE id = $1", userID); err != nil {
		return err
	}
	return execEach(ctx, tx, task, userID,
		"DELETE FROM core_sessions WHERE user_id = $1",
		"DELETE FROM core_api_tokens WHERE user_id = $1",
		"DELETE FROM core_account_links WHERE user_id = $1",
		"DELETE FROM core_factor_challenges WHERE user_id = $1",
		"UPDATE core_user_identities SET user_id = NULL WHERE user_id = $1")
}
