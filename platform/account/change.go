package account

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Allow returns an error if a change of an account is not permitted. It runs in the transaction of the change.
type Allow = func(ctx context.Context, tx pgx.Tx) error

// change runs do in a transaction, unless allow refuses it, and returns the account after it. It returns not_found for
// a malformed id.
func (s *Store) change(ctx context.Context, userID string, allow Allow, do func(tx pgx.Tx, id string) error) (User, error) {
	id, err := parseID(userID)
	if err != nil {
		return User{}, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := allow(ctx, tx); err != nil {
			return err
		}
		return do(tx, id)
	})
	if err != nil {
		return User{}, err
	}
	return s.FindByID(ctx, id)
}

// parseID returns not_found for a malformed id.
func parseID(id string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return "", domain.NotFound()
	}
	return parsed.String(), nil
}

// execEach runs statements about an account.
func execEach(ctx context.Context, tx pgx.Tx, task, userID string, statements ...string) error {
	b := &pgx.Batch{}
	for _, sql := range statements {
		b.Queue(sql, userID)
	}
	return postgres.Send(ctx, tx, task, b)
}
