package proof

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
)

// Who could decide is part of the proof, so changes of staff entries are chained and signed
// as events are. The chain is one for all entries, in the order of commits.

// staffChange is a change of a staff entry as core_staff_history holds it.
type staffChange struct {
	position      int64
	entryID       string
	kind          string
	userID        string
	actorID       *string
	action        string
	before, after *string // jsonb as text
	at            time.Time
}

const staffColumns = `h.position, h.entry_id::text, h.kind, h.user_id::text, h.actor_id::text, h.action, h.before::text, h.after::text, h.at`

func (c *staffChange) fields() []any {
	return []any{&c.position, &c.entryID, &c.kind, &c.userID, &c.actorID, &c.action, &c.before, &c.after, &c.at}
}

// hash computes SHA-256(prev ‖ canonical bytes of the change). The canonical bytes are
// `docket-staff-1` and the fields in order, each after its length as eight big-endian bytes;
// numbers are decimal, times are microseconds since 1970.
func (c *staffChange) hash(prev []byte) []byte {
	h := sha256.New()
	h.Write(prev)
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for _, field := range []string{"docket-staff-1", strconv.FormatInt(c.position, 10), c.entryID, c.kind, c.userID, text(c.actorID), c.action,
		text(c.before), text(c.after), strconv.FormatInt(c.at.UnixMicro(), 10)} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write([]byte(field))
	}
	return h.Sum(nil)
}

// SealStaff seals the changes of staff entries that the transaction has made. It must be the
// last thing that the transaction does, since others wait for it then. Changes of other
// transactions stay as they are, so that a change that no server made is never sealed.
func SealStaff(ctx context.Context, tx pgx.Tx, signer eventstore.Signer) error {
	rows, err := tx.Query(ctx, `SELECT `+staffColumns+` FROM core_staff_history h WHERE h.transaction_id = pg_current_xact_id_if_assigned()
		AND NOT EXISTS (SELECT FROM core_staff_seals s WHERE s.position = h.position) ORDER BY h.position`)
	if err != nil {
		return fmt.Errorf("seal staff history: %w", err)
	}
	changes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c staffChange, err error) { return c, row.Scan(c.fields()...) })
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

// lastStaffSeal returns the number and the hash of the last seal, 0 and 32 zero bytes if there
// is none.
func lastStaffSeal(ctx context.Context, db querier) (number int64, hash []byte, err error) {
	hash = eventstore.Genesis()
	rows, err := db.Query(ctx, `SELECT number, hash FROM core_staff_seals ORDER BY number DESC LIMIT 1`)
	if err != nil {
		return 0, nil, fmt.Errorf("read the last staff seal: %w", err)
	}
	_, err = pgx.ForEachRow(rows, []any{&number, &hash}, func() error { return nil })
	if err != nil {
		return 0, nil, fmt.Errorf("read the last staff seal: %w", err)
	}
	return number, hash, nil
}
