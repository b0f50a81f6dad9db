package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"
)

// Sealer gives every event its place in one order without gaps, which a
// sequence cannot give: a lower number can commit later. Any server may seal,
// one at a time. Readers page the log by position.
type Sealer struct {
	pool   *pgxpool.Pool
	log    zerolog.Logger
	wake   chan struct{}
	sealed func(position int64)
	every  time.Duration
}

// The bounds of sealing.
const (
	sealBatch = 1000
	// sealEvery is how soon another server's events are sealed, which wake nobody here.
	sealEvery = 250 * time.Millisecond
	// sealPause lets the events of a busy moment gather, so that a pass costs
	// little beside the commands that made them.
	sealPause = 100 * time.Millisecond
)

// NewSealer makes a sealer that calls sealed with the last position after each
// batch; sealed must not block.
func NewSealer(pool *pgxpool.Pool, log zerolog.Logger, sealed func(position int64)) *Sealer {
	return &Sealer{pool: pool, log: log, wake: make(chan struct{}, 1), sealed: sealed, every: sealEvery}
}

// Wake asks for a pass soon; it never blocks.
func (s *Sealer) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run seals until ctx ends. Failures are logged and tried again.
func (s *Sealer) Run(ctx context.Context) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		for {
			n, err := s.Seal(ctx)
			if err != nil && ctx.Err() == nil {
				s.log.Error().Err(err).Msg("sealing failed")
			}
			if err != nil || n < sealBatch {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sealPause):
		}
	}
}

// sealLock is the advisory lock of the one sealer.
const sealLock = `SELECT pg_try_advisory_xact_lock(hashtextextended('docket:sealer', 0))`

// scanBounds are where the scan begins, where it ends, and where the next one is
// to begin, which is taken before this scan so that what commits in between is
// found then. Nothing that this cluster wrote is beyond its next transaction id:
// what is there came from another cluster, and only a scan from 0 looks at it,
// else each pass would read a whole log that was restored from a dump.
const scanBounds = `SELECT low::text, (CASE WHEN low = '0' THEN '18446744073709551615'::xid8 ELSE xmax END)::text, xmin::text
	FROM (SELECT CASE WHEN lower_bound > pg_snapshot_xmax(now) THEN '0'::xid8 ELSE lower_bound END AS low,
			pg_snapshot_xmax(now) AS xmax, pg_snapshot_xmin(now) AS xmin
		FROM core_moderation_sealer, pg_current_snapshot() AS now) bounds`

// nextEvents takes the events that are visible and not in the log yet. Within a
// report they come in order, and a visible event's predecessor is visible too,
// since the stream lock made them commit in order. Reads the index on
// transaction_id between the bounds.
const nextEvents = `SELECT e.event_id::text, e.report_id::text, e.sequence, e.hash
	FROM core_moderation_report_events e
	WHERE e.transaction_id >= $2::text::xid8 AND e.transaction_id <= $3::text::xid8
	  AND NOT EXISTS (SELECT 1 FROM core_moderation_log l WHERE l.event_id = e.event_id)
	ORDER BY e.report_id, e.sequence LIMIT $1`

// Seal seals one batch and returns how many events it held; none while another
// server seals.
func (s *Sealer) Seal(ctx context.Context) (int, error) {
	var n int
	var last int64
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, sealLock).Scan(&mine); err != nil || !mine {
			return err
		}
		var from, through, next string
		if err := tx.QueryRow(ctx, scanBounds).Scan(&from, &through, &next); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM core_moderation_log`).Scan(&last); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, nextEvents, sealBatch, from, through)
		if err != nil {
			return err
		}
		records, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Record, err error) {
			return r, row.Scan(&r.EventID, &r.ReportID, &r.Sequence, &r.Hash)
		})
		if err != nil {
			return err
		}
		n = len(records)
		positions, ids, leaves := make([]int64, n), make([]string, n), make([][]byte, n)
		for i, r := range records {
			last++
			leaf := LeafHash(r)
			positions[i], ids[i], leaves[i] = last, r.EventID, leaf[:]
		}
		if n > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO core_moderation_log (position, event_id, leaf_hash)
				SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bytea[])`, positions, ids, leaves); err != nil {
				return err
			}
		}
		if n < sealBatch {
			_, err = tx.Exec(ctx, `UPDATE core_moderation_sealer SET lower_bound = $1::xid8 WHERE lower_bound <> $1::xid8`, next)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("seal: %w", err)
	}
	if n > 0 {
		s.sealed(last)
	}
	return n, nil
}

// SealAll seals all that waits, unless another server does, in a restored log too.
func (s *Sealer) SealAll(ctx context.Context) error {
	if err := s.Restored(ctx); err != nil {
		return err
	}
	for {
		n, err := s.Seal(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
}

// LeafHash is the event's leaf in the Merkle tree over the log, whose leaf n is
// position n + 1: its report, its sequence and its link in the report's chain.
func LeafHash(r Record) tlog.Hash {
	return tlog.RecordHash([]byte(fmt.Sprintf("%s %d %x\n", r.ReportID, r.Sequence, r.Hash)))
}

// Restored resets the lower bound of a log whose events carry transaction ids
// of another cluster, as after pg_restore: it is scanned from the start once.
func (s *Sealer) Restored(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `UPDATE core_moderation_sealer SET lower_bound = '0'
		WHERE lower_bound > pg_snapshot_xmax(pg_current_snapshot())
		   OR EXISTS (SELECT 1 FROM core_moderation_report_events WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("look for a restored log: %w", err)
	}
	return nil
}
