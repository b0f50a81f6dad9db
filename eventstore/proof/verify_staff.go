package proof

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// staff verifies the history of staff entries in one snapshot: the chain of its seals, their
// signatures, that each change since the first seal has one, and what kept checkpoints
// attest.
func (r *auditRun) staff(ctx context.Context) error {
	err := pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := r.staffSeals(ctx, tx); err != nil {
			return err
		}
		return r.unsealedStaff(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("check the history of staff entries: %w", err)
	}
	return nil
}

// staffBatch is how many signatures of staff seals are verified at once.
const staffBatch = 1000

func (r *auditRun) staffSeals(ctx context.Context, tx pgx.Tx) error {
	attested := map[int64]Checkpoint{}
	for _, c := range r.Checkpoints {
		if c.StaffSeals > 0 {
			attested[c.StaffSeals] = c
		}
	}
	var signed []signedHash
	var positions []int64
	flush := func() {
		for _, i := range r.signers.invalid(signed) {
			r.foundStaff(positions[i], "its signature is not by a known key")
		}
		signed, positions = nil, nil
	}
	rows, err := tx.Query(ctx, `SELECT s.number, s.position, s.prev_hash, s.hash, s.signature, h.position IS NOT NULL,
			s.position, coalesce(h.entry_id::text, ''), coalesce(h.kind, ''), coalesce(h.user_id::text, ''), h.actor_id::text, coalesce(h.action, ''),
			h.before::text, h.after::text, coalesce(h.at, 'epoch')
		FROM core_staff_seals s LEFT JOIN core_staff_history h USING (position) ORDER BY s.number`)
	if err != nil {
		return err
	}
	defer rows.Close()
	prev, last := eventstore.Genesis(), int64(0)
	for rows.Next() {
		var c staffChange
		var number, position int64
		var before, hash, signature []byte
		var present bool
		if err := rows.Scan(append([]any{&number, &position, &before, &hash, &signature, &present}, c.fields()...)...); err != nil {
			return err
		}
		last++
		switch {
		case number != last:
			r.found(Finding{Problem: fmt.Sprintf("staff history: seal %d is missing", last)})
			last = number
		case !present:
			r.foundStaff(position, "the change is missing")
		case !bytes.Equal(before, prev):
			r.foundStaff(position, "it does not follow the change before it")
		case !bytes.Equal(hash, c.hash(before)):
			r.foundStaff(position, "its content does not match its hash")
		default:
			signed, positions = append(signed, signedHash{hash, signature}), append(positions, position)
		}
		if k, ok := attested[number]; ok {
			if hex.EncodeToString(hash) != k.StaffHash {
				r.foundStaff(position, "it is not the change that the checkpoint of "+k.Taken.Format(time.RFC3339)+" attests")
			}
			delete(attested, number)
		}
		prev = hash
		if len(signed) == staffBatch {
			flush()
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	flush()
	for n, c := range attested {
		r.found(Finding{Problem: fmt.Sprintf("staff history: it ends after seal %d, and the checkpoint of %s attests %d", last, c.Taken.Format(time.RFC3339), n)})
	}
	return nil
}

// unsealedStaff reports changes after the first sealed one that have no seal.
func (r *auditRun) unsealedStaff(ctx context.Context, tx pgx.Tx) error {
	var position int64
	return postgres.ForEach(ctx, tx, "look for unsealed changes", []any{&position}, func() error {
		r.foundStaff(position, "it is not signed: no server made it")
		return nil
	}, `SELECT h.position FROM core_staff_history h WHERE h.position > (SELECT min(position) FROM core_staff_seals)
		AND NOT EXISTS (SELECT FROM core_staff_seals s WHERE s.position = h.position) ORDER BY h.position`)
}

func (r *auditRun) foundStaff(position int64, problem string) {
	r.found(Finding{Problem: fmt.Sprintf("staff history, change %d: %s", position, problem)})
}
