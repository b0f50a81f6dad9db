package proof

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// take runs f, which takes a checkpoint, under a lock. If core_quality has a row, it also records in the database this
// checkpoint and those of kept that are later than the last recorded one (their server may have stopped), since
// checkpoints draw the decisions for second opinions.
func take(ctx context.Context, pool *pgxpool.Pool, kept []Checkpoint, f func(tx pgx.Tx) (Checkpoint, error)) (c Checkpoint, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`SET LOCAL lock_timeout = 0`) // another may hash a long log
		b.Queue(`SELECT pg_advisory_xact_lock(hashtextextended('docket:checkpoints', 0))`)
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("wait for another checkpoint: %w", err)
		}
		if c, err = f(tx); err != nil {
			return err
		}
		var sizes []int64
		var notes []string
		for _, one := range append(kept, c) {
			sizes, notes = append(sizes, one.N), append(notes, string(one.Note))
		}
		return postgres.Exec(ctx, tx, "record a checkpoint", `INSERT INTO core_checkpoints (size, note)
			SELECT * FROM unnest($1::bigint[], $2::text[]) n (size, note) WHERE EXISTS (SELECT FROM core_quality)
			AND n.size > coalesce((SELECT max(size) FROM core_checkpoints), 0) ON CONFLICT DO NOTHING`, sizes, notes)
	})
	return c, err
}

// TakeUnkept makes a checkpoint that is stored only in the database, for when no folder or receiver is configured.
func TakeUnkept(ctx context.Context, pool *pgxpool.Pool, key Key) (Checkpoint, error) {
	return take(ctx, pool, nil, func(tx pgx.Tx) (Checkpoint, error) { return Take(ctx, tx, nil, key, time.Now()) })
}

// RootIn returns the root in a checkpoint's note, without checking the signature.
func RootIn(note string) ([]byte, error) {
	lines := strings.SplitN(note, "\n", checkpointLines)
	if len(lines) < checkpointLines {
		return nil, errors.New("checkpoint: it has too few lines")
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return root[:], nil
}

// recorded verifies the checkpoints in the database. A missing one is detected only if checkpoints are also stored
// elsewhere.
func (r *auditRun) recorded(ctx context.Context, tx pgx.Tx) error {
	known, err := Verifiers(r.Keys...)
	if err != nil {
		return err
	}
	end, err := eventstore.LastPosition(ctx, tx)
	if err != nil {
		return err
	}
	t := newTree(tx)
	var size int64
	var signed string
	var sizes []int64
	var notes []string
	if err := postgres.ForEach(ctx, tx, "read the checkpoints", []any{&size, &signed}, func() error {
		sizes, notes = append(sizes, size), append(notes, signed)
		return nil
	}, `SELECT size, note FROM core_checkpoints ORDER BY size`); err != nil {
		return err
	}
	for i, size := range sizes {
		c, err := OpenCheckpoint([]byte(notes[i]), known)
		if err == nil && c.N != size {
			err = fmt.Errorf("it attests %d events", c.N)
		}
		if err == nil && size > end {
			err = fmt.Errorf("the log has %d events", end)
		}
		if err == nil {
			root, hashErr := tlog.TreeHash(size, t.reader(ctx))
			if hashErr != nil {
				return fmt.Errorf("hash the log up to %d: %w", size, hashErr)
			}
			if root != c.Hash {
				err = errors.New("the log there is another")
			}
		}
		if err != nil {
			r.found(Finding{Position: size, Problem: "the checkpoint recorded here: " + err.Error()})
		}
	}
	return nil
}
