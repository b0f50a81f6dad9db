package proof

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// The proof covers who was allowed to decide, so changes of staff entries are chained and
// signed as events are. All entries share one chain, in the order of commits.

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

func scanStaffChange(row pgx.CollectableRow) (staffChange, error) {
	var c staffChange
	err := row.Scan(c.fields()...)
	return c, err
}

// hash computes SHA-256(prev ‖ canonical bytes of the change). The canonical bytes are
// `docket-staff-1` and the fields in order, each after its length as eight big-endian bytes;
// numbers are decimal, times are microseconds since 1970.
func (c *staffChange) hash(prev []byte) []byte {
	h := sha256.New()
	h.Write(prev)
	for _, field := range []string{"docket-staff-1", strconv.FormatInt(c.position, 10), c.entryID, c.kind, c.userID, domain.OrEmpty(c.actorID), c.action,
		domain.OrEmpty(c.before), domain.OrEmpty(c.after), strconv.FormatInt(c.at.UnixMicro(), 10)} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write([]byte(field))
	}
	return h.Sum(nil)
}

// SealStaff seals the changes of staff entries that the transaction has made. It must be the
// transaction's last step, because it takes a lock for which other transactions wait. It
// never seals changes of other transactions, which may not come from a server.
func SealStaff(ctx context.Context, tx pgx.Tx, signer eventstore.Signer) error {
	changes, err := postgres.Collect(ctx, tx, "seal staff history", scanStaffChange,
		`SELECT `+staffColumns+` FROM core_staff_history h WHERE h.transaction_id = pg_current_xact_id_if_assigned()
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

// lastStaffSeal returns the number and the hash of the last seal, 0 and 32 zero bytes if there
// is none.
func lastStaffSeal(ctx context.Context, db postgres.Querier) (number int64, hash []byte, err error) {
	hash = eventstore.Genesis()
	err = postgres.ForEach(ctx, db, "read the last staff seal", []any{&number, &hash}, func() error { return nil },
		`SELECT number, hash FROM core_staff_seals ORDER BY number DESC LIMIT 1`)
	return number, hash, err
}
