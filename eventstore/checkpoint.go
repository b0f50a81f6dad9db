package eventstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A Checkpoint attests the log up to a size: whoever keeps one outside of the
// database can tell later whether anything up to there was rewritten.
type Checkpoint struct {
	tlog.Tree
	Taken time.Time
	Note  []byte // signed; nil before it is
}

// The form of a checkpoint is that of transparency logs (c2sp.org/tlog-checkpoint):
// the log's name, the size in decimal, the root in base64, and the time.
const checkpointLines = 4

// ErrEmptyLog says that there is nothing to attest yet.
var ErrEmptyLog = errors.New("the log is empty: there is nothing to attest")

// Take makes a checkpoint of the log as it is. It refuses a log that is not what
// a kept checkpoint attests, so that a rewritten history is never attested.
func Take(ctx context.Context, db querier, kept []Checkpoint, signer note.Signer, now time.Time) (Checkpoint, error) {
	size, err := LastPosition(ctx, db)
	if err != nil {
		return Checkpoint{}, err
	}
	if size == 0 {
		return Checkpoint{}, ErrEmptyLog
	}
	t := newTree(db)
	for _, k := range kept {
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
	}
	hash, err := tlog.TreeHash(size, t.reader(ctx))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("hash the log: %w", err)
	}
	return Checkpoint{Tree: tlog.Tree{N: size, Hash: hash}, Taken: now.UTC().Truncate(time.Second)}.signed(signer)
}

func (c Checkpoint) signed(signer note.Signer) (Checkpoint, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n%s\n", signer.Name(), c.N, c.Hash, c.Taken.Format(time.RFC3339))
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign a checkpoint: %w", err)
	}
	c.Note = signed
	return c, nil
}

// OpenCheckpoint reads a checkpoint that one of the verifiers' keys has signed.
func OpenCheckpoint(signed []byte, known note.Verifiers) (Checkpoint, error) {
	opened, err := note.Open(signed, known)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < checkpointLines {
		return Checkpoint{}, errors.New("checkpoint: it has too few lines")
	}
	c := Checkpoint{Note: signed}
	if c.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil || c.N < 1 {
		return Checkpoint{}, fmt.Errorf("checkpoint: %q is no size", lines[1])
	}
	if c.Hash, err = tlog.ParseHash(lines[2]); err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	if c.Taken, err = time.Parse(time.RFC3339, lines[3]); err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return c, nil
}

// OpenCheckpoints reads checkpoints that stand one behind the other, as they do
// where a receiver appends what it is sent to one file. Each must be signed.
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

// splitNotes parts signed notes, each of which ends with its lines of signatures.
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
			continue // between two
		}
		one, signed = append(one, line...), signature
	}
	if len(one) > 0 {
		notes = append(notes, one)
	}
	return notes
}

// SortCheckpoints orders them by what they attest, as an Auditor wants them.
func SortCheckpoints(all []Checkpoint) {
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return cmp.Compare(a.N, b.N) })
}
