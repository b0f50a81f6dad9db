package proof

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// SealStaff is what the release before does at the end of a transaction that has changed staff
// entries: it seals what it finds of that transaction in the history.
func SealStaff(ctx context.Context, tx pgx.Tx, signer eventstore.Signer) error {
	changes, err := postgres.Collect(ctx, tx, "seal staff history", func(row pgx.CollectableRow) (c staffChange, err error) { return c, row.Scan(c.fields()...) },
		`SELECT h.position, h.entry_id::text, h.kind, h.user_id::text, h.actor_id::text, h.action, h.before::text, h.after::text, h.at FROM core_staff_history h WHERE h.transaction_id = pg_current_xact_id_if_assigned()
		AND NOT EXISTS (SELECT FROM core_staff_seals s WHERE s.position = h.position) ORDER BY h.position`)
	if err != nil || len(changes) == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('docket:staff-seals', 0))`); err != nil {
		return fmt.Errorf("seal staff history: %w", err)
	}
	number, prev, err := lastStaffSeal(ctx, tx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		number++
		hash := c.hash(prev)
		signature, err := signer.Sign(hash)
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO core_staff_seals (number, position, prev_hash, hash, signature) VALUES ($1, $2, $3, $4, $5)`,
				number, c.position, prev, hash, signature)
		}
		if err != nil {
			return fmt.Errorf("seal staff history: %w", err)
		}
		prev = hash
	}
	return nil
}
