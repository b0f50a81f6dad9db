package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Checkpoint attests the log up to a size. A copy outside of the database later reveals whether
// that part of the log was rewritten.
type Checkpoint struct {
	tlog.Tree
	Taken time.Time
	// SignedFrom is the position from which events must be signed; 0 if none is signed.
	SignedFrom int64
	// StaffSeals is the number of sealed changes of staff entries, and StaffHash the hash of the
	// last, in hexadecimal.
	StaffSeals int64
	StaffHash  string
	// Ledger is the last position of the ledger, and LedgerHash the hash there, in hexadecimal.
	Ledger     int64
	LedgerHash string
	// Key is the public half of the key that signs events; "" in older checkpoints.
	Key  string
	Note []byte // the signed text; nil until it is signed
}

// Checkpoints have the format of transparency logs (c2sp.org/tlog-checkpoint): the log's name,
// which is that of the key, the size in decimal, the root in base64, and the time. Lines for
// extensions follow; older checkpoints have none.
const (
	checkpointLines = 4
	signedFromLine  = "signed-from"
	staffLine       = "staff"
	ledgerLine      = "ledger"
	keyLine         = "key"
)

// ErrEmptyLog means that the log has no events to attest.
var ErrEmptyLog = errors.New("the log is empty: there is nothing to attest")

// Take makes a checkpoint of the present log. It fails if the log or the ledger differs from a stored
// checkpoint (kept), so that a rewritten history is never attested.
func Take(ctx context.Context, db postgres.Querier, kept []Checkpoint, key Key, now time.Time) (Checkpoint, error) {
	size, err := eventstore.LastPosition(ctx, db)
	if err != nil {
		return Checkpoint{}, err
	}
	if size == 0 {
		return Checkpoint{}, ErrEmptyLog
	}
	t := newTree(db)
	var signedFrom int64
	for _, k := range kept {
		if signedFrom == 0 || k.SignedFrom > 0 && k.SignedFrom < signedFrom {
			signedFrom = k.SignedFrom
		}
		if k.N > size {
			return Checkpoint{}, fmt.Errorf("the log has %d events, and a checkpoint of %s attests %d", size, k.Taken.Format(time.RFC3339), k.N)
		}
		hash, err := tlog.TreeHash(k.N, t.reader(ctx))
		if err != nil {
			return Checkpoint{}, fmt.Errorf("hash the log up to %d: %w", k.N, err)
		}
		if hash != k.Hash {
			return Checkpoint{}, fmt.Errorf("the log up to position %d is not what the checkpoint of %s attests", k.N, k.Taken.Format(time.RFC3339))
		}
		if at, err := ledger.HashAt(ctx, db, k.Ledger); err != nil || k.Ledger > 0 && hex.EncodeToString(at) != k.LedgerHash {
			return Checkpoint{}, cmp.Or(err, fmt.Errorf("the ledger up to record %d is not what the checkpoint of %s attests", k.Ledger, k.Taken.Format(time.RFC3339)))
		}
	}
	hash, err := tlog.TreeHash(size, t.reader(ctx))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("hash the log: %w", err)
	}
	if signedFrom == 0 {
		if signedFrom, err = firstSigned(ctx, db); err != nil {
			return Checkpoint{}, err
		}
	}
	seals, staff, err := lastStaffSeal(ctx, db)
	if err != nil {
		return Checkpoint{}, err
	}
	records, record, err := ledger.Last(ctx, db)
	if err != nil {
		return Checkpoint{}, err
	}
	return Checkpoint{Tree: tlog.Tree{N: size, Hash: hash}, Taken: now.UTC().Truncate(time.Second), SignedFrom: signedFrom, Key: key.Public,
		StaffSeals: seals, StaffHash: hex.EncodeToString(staff), Ledger: records, LedgerHash: hex.EncodeToString(record)}.signed(key)
}

func (c Checkpoint) signed(signer note.Signer) (Checkpoint, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n%s\n", signer.Name(), c.N, c.Hash, c.Taken.Format(time.RFC3339))
	if c.SignedFrom > 0 {
		text += fmt.Sprintf("%s %d\n", signedFromLine, c.SignedFrom)
	}
	if c.StaffSeals > 0 {
		text += fmt.Sprintf("%s %d %s\n", staffLine, c.StaffSeals, c.StaffHash)
	}
	if c.Ledger > 0 {
		text += fmt.Sprintf("%s %d %s\n", ledgerLine, c.Ledger, c.LedgerHash)
	}
	text += keyLine + " " + c.Key + "\n"
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign a checkpoint: %w", err)
	}
	c.Note = signed
	return c, nil
}

// OpenCheckpoint parses a checkpoint that one of the known keys signed.
func OpenCheckpoint(signed []byte, known note.Verifiers) (Checkpoint, error) {
	opened, err := note.Open(signed, known)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < checkpointLines {
		return Checkpoint{}, errors.New("checkpoint: it has too few lines")
	}
	if !slices.ContainsFunc(opened.Sigs, func(s note.Signature) bool { return s.Name == lines[0] }) {
		return Checkpoint{}, fmt.Errorf("checkpoint: it is of the log %q, and no key of that name signed it", lines[0])
	}
	c := Checkpoint{Note: signed}
	if c.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil || c.N < 1 {
		return Checkpoint{}, fmt.Errorf("checkpoint: %q is not a valid size", lines[1])
	}
	if c.Hash, err = tlog.ParseHash(lines[2]); err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	if c.Taken, err = time.Parse(time.RFC3339, lines[3]); err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	for _, line := range lines[checkpointLines:] {
		number := int64(1)
		switch name, value, _ := strings.Cut(line, " "); name {
		case signedFromLine:
			c.SignedFrom, err = strconv.ParseInt(value, 10, 64)
			number = c.SignedFrom
		case staffLine:
			_, err = fmt.Sscanf(value, "%d %64s", &c.StaffSeals, &c.StaffHash)
			number = c.StaffSeals
		case ledgerLine:
			_, err = fmt.Sscanf(value, "%d %64s", &c.Ledger, &c.LedgerHash)
			number = c.Ledger
		case keyLine:
			c.Key = value
		}
		if err != nil || number < 1 {
			return Checkpoint{}, fmt.Errorf("checkpoint: %q is not a valid line", line)
		}
	}
	return c, nil
}

// OpenCheckpoints parses a file of one or more checkpoints, as a receiver may have appended them.
// All must be signed by known keys.
func OpenCheckpoints(content []byte, known note.Verifiers) ([]Checkpoint, error) {
	var all []Checkpoint
	for _, signed := range splitNotes(content) {
		c, err := OpenCheckpoint(signed, known)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// splitNotes splits signed notes, each of which ends with lines of signatures.
func splitNotes(content []byte) (notes [][]byte) {
	var one []byte
	signed := false
	for line := range bytes.Lines(content) {
		line = append(bytes.Clone(bytes.TrimRight(line, "\r\n")), '\n')
		signature := bytes.HasPrefix(line, []byte("— "))
		if signed && !signature {
			notes, one, signed = append(notes, one), nil, false
		}
		if len(one) == 0 && len(line) == 1 {
			continue // between two notes
		}
		one, signed = append(one, line...), signature
	}
	if len(one) > 0 {
		notes = append(notes, one)
	}
	return notes
}

// SortCheckpoints sorts by size, as an Auditor requires.
func SortCheckpoints(all []Checkpoint) {
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return cmp.Compare(a.N, b.N) })
}
