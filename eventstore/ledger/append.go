package ledger

import (
	"bytes"
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

// Change is a change of one row by a transaction.
type Change struct {
	*Table
	Key    string
	Before Row // as the transaction found and locked it; nil if there was none
	After  Row // as the transaction wrote it, from its own values; nil if it deleted the row
}

// Subject identifies a row of a table, which may be deleted.
type Subject struct{ Kind, Key string }

// Record is a change as the ledger stores it.
type Record struct {
	Subject
	Position int64
	Version  int64 // of the row
	Action   Action
	// Found is the row's content before the change if it differs from the previous version:
	// something else had changed it. It is nothing if there was no row, and nil if there is no
	// difference.
	Found     []byte
	Payload   []byte // the row after it; nil if there is none any more
	ActorID   *string
	At        time.Time
	PrevHash  []byte
	Hash      []byte
	Signature []byte
}

// Action is what happened to a row.
type Action string

// The actions. Adopted: an operator accepted a row that was written without a signature. Inherited:
// the row existed when the ledger began.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Deleted   Action = "deleted"
	Adopted   Action = "adopted"
	Inherited Action = "inherited"
)

// nothing is the encoded Before of a change that found no row.
var nothing = []byte("null")

// ChainHash computes SHA-256(prev ‖ canonical bytes of the record). The canonical bytes are
// `docket-ledger-1` and the fields in order, each after its length as eight big-endian bytes;
// numbers are decimal, times are microseconds since 1970.
func (r *Record) ChainHash() []byte {
	h := sha256.New()
	h.Write(r.PrevHash)
	for _, field := range []string{"docket-ledger-1", strconv.FormatInt(r.Position, 10), r.Kind, r.Key, strconv.FormatInt(r.Version, 10),
		string(r.Action), string(r.Found), string(r.Payload), domain.OrEmpty(r.ActorID), strconv.FormatInt(r.At.UnixMicro(), 10)} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write([]byte(field))
	}
	return h.Sum(nil)
}

// Ledger appends records, signed with a server's key and dated by its clock.
type Ledger struct {
	Signer eventstore.Signer // nil in tests that do not verify: records are then not signed
	Now    func() time.Time
}

// Append records the transaction's changes; actor is "" for an operator. It must be the
// transaction's last step, because it takes a lock for which all other changes wait.
func (l Ledger) Append(ctx context.Context, tx pgx.Tx, actor string, changes ...Change) error {
	if len(changes) == 0 {
		return nil
	}
	w, err := l.open(ctx, tx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		before, err := c.encode(c.Before)
		if err != nil {
			return err
		}
		after, err := c.encode(c.After)
		if err != nil {
			return err
		}
		if bytes.Equal(before, after) {
			continue
		}
		r := Record{Subject: Subject{c.Kind, c.Key}, Action: Updated, Payload: after, ActorID: domain.OrNull(actor)}
		if before == nil {
			r.Action, before = Created, nothing
		} else if after == nil {
			r.Action = Deleted
		}
		if err := w.add(ctx, r, before); err != nil {
			return err
		}
	}
	return nil
}

// writer appends to the ledger in a transaction that holds its lock.
type writer struct {
	Ledger
	tx       pgx.Tx
	position int64
	at       time.Time
	hash     []byte
}

func (l Ledger) open(ctx context.Context, tx pgx.Tx) (*writer, error) {
	w := &writer{Ledger: l, tx: tx}
	if err := postgres.Exec(ctx, tx, "lock the ledger", `SELECT pg_advisory_xact_lock(hashtextextended('docket:ledger', 0))`); err != nil {
		return nil, err
	}
	// A separate statement sees what was committed during the wait.
	var err error
	w.position, w.at, w.hash, err = last(ctx, tx)
	return w, err
}

// last returns the end of the ledger; 0 and 32 zero bytes if it is empty.
func last(ctx context.Context, db postgres.Querier) (position int64, at time.Time, hash []byte, err error) {
	hash = eventstore.Genesis()
	err = postgres.ForEach(ctx, db, "read the end of the ledger", []any{&position, &at, &hash}, func() error { return nil },
		`SELECT position, at, hash FROM core_ledger ORDER BY position DESC LIMIT 1`)
	return position, at, hash, err
}

// Last returns the position and the hash of the last record, for checkpoints.
func Last(ctx context.Context, db postgres.Querier) (position int64, hash []byte, err error) {
	position, _, hash, err = last(ctx, db)
	return position, hash, err
}

// HashAt returns the hash of the record at the position, or nil if there is none.
func HashAt(ctx context.Context, db postgres.Querier, position int64) (hash []byte, err error) {
	err = postgres.ForEach(ctx, db, "read the ledger", []any{&hash}, func() error { return nil },
		`SELECT hash FROM core_ledger WHERE position = $1`, position)
	return hash, err
}

// add appends a record. before, unless nil, is the row's content before the change.
func (w *writer) add(ctx context.Context, r Record, before []byte) error {
	const task = "append to the ledger"
	var payload []byte
	err := postgres.ForEach(ctx, w.tx, task, []any{&r.Version, &payload}, func() error { return nil },
		`SELECT version, payload FROM core_ledger WHERE kind = $1 AND key = $2 ORDER BY version DESC LIMIT 1`, r.Kind, r.Key)
	if err != nil {
		return err
	}
	if payload == nil {
		payload = nothing
	}
	if before != nil && !bytes.Equal(before, payload) {
		r.Found = before
	}
	w.position++
	if now := w.Now().UTC().Truncate(time.Microsecond); now.After(w.at) {
		w.at = now // times never decrease, even if servers' clocks differ
	}
	r.Version++
	r.Position, r.At, r.PrevHash = w.position, w.at, w.hash
	r.Hash = r.ChainHash()
	if w.Signer != nil {
		if r.Signature, err = w.Signer.Sign(r.Hash); err != nil {
			return fmt.Errorf("%s: %w", task, err)
		}
	}
	w.hash = r.Hash
	return postgres.Exec(ctx, w.tx, task, `INSERT INTO core_ledger (`+recordColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		r.Position, r.Kind, r.Key, r.Version, r.Action, r.Found, r.Payload, r.ActorID, r.At, r.PrevHash, r.Hash, r.Signature)
}

const recordColumns = `position, kind, key, version, action, found, payload, actor_id, at, prev_hash, hash, signature`

// Each calls each with every record in order.
func Each(ctx context.Context, db postgres.Querier, each func(Record) error) error {
	var r Record
	return postgres.ForEach(ctx, db, "read the ledger", []any{&r.Position, &r.Kind, &r.Key, &r.Version, &r.Action, &r.Found, &r.Payload,
		&r.ActorID, &r.At, &r.PrevHash, &r.Hash, &r.Signature}, func() error {
		r := r
		return each(r)
	}, `SELECT `+recordColumns+` FROM core_ledger ORDER BY position`)
}
