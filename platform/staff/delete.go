package staff

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Delete removes an entry. It returns not_found, or forbidden by permission.Change.
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
		if err := postgres.Exec(ctx, tx, "delete staff entry", `DELETE FROM core_staff_entries WHERE id = $1`, id); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, by.UserID, ledger.Change{Table: Ledger, Key: id, Before: e.row()})
	})
}
