package proof

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// staffChange is a change of a staff entry as core_staff_history stores it.
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

func (c *staffChange) fields() []any {
	return []any{&c.position, &c.entryID, &c.kind, &c.userID, &c.actorID, &c.action, &c.before, &c.after, &c.at}
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

// lastStaffSeal returns the number and the hash of the last seal; 0 and 32 zero bytes if there is
// none.
func lastStaffSeal(ctx context.Context, db postgres.Querier) (number int64, hash []byte, err error) {
	hash = eventstore.Genesis()
	err = postgres.ForEach(ctx, db, "read the last staff seal", []any{&number, &hash}, func() error { return nil },
		`SELECT number, hash FROM core_staff_seals ORDER BY number DESC LIMIT 1`)
	return number, hash, err
}
