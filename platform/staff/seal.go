package staff

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/proof"
)

// transact runs fn in a transaction and then seals the changes that it made.
func (s *Store) transact(ctx context.Context, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return s.Seal(ctx, tx)
	})
}

// Seal signs the changes of entries that the transaction has made, such as the deletion of an
// account with its entries. It must be the last thing that the transaction does. A change
// without a seal counts as made by hand in the database.
func (s *Store) Seal(ctx context.Context, tx pgx.Tx) error {
	if s.signer == nil {
		return nil
	}
	return proof.SealStaff(ctx, tx, s.signer)
}
