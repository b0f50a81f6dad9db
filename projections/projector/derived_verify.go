package projector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/docketmod/docket/eventstore"
)

// BehindError means that a projection has not applied the latest events yet, so that its rows
// cannot be verified.
type BehindError struct {
	Name   string
	Events int64
}

func (e *BehindError) Error() string {
	return fmt.Sprintf("%s: %d events behind the log", e.Name, e.Events)
}

const (
	// defaultWait is how long to wait for a position that does not advance, and awaitPause the
	// interval at which it is polled.
	defaultWait = 30 * time.Second
	awaitPause  = 100 * time.Millisecond
	// A row that changes while it is compared may be outdated. It is compared again after this
	// pause, when the projection has caught up, up to compareAttempts times, or growingAttempts
	// times while the log grows.
	comparePause    = 500 * time.Millisecond
	compareAttempts = 6
	growingAttempts = 40
)

// Verify compares all rows. It compares those that differ once more when the projection has caught up.
func (d Derived[K]) Verify(ctx context.Context, pool *pgxpool.Pool, o Options) (r Result, err error) {
	wrong, err := d.differences(ctx, pool, o, &r)
	if err == nil && d.Miscounted != nil {
		r.Wrong, err = d.Miscounted(ctx, pool)
	}
	if err != nil {
		return r, fmt.Errorf("verify %s: %w", d.Name, err)
	}
	for _, key := range wrong {
		r.Wrong++
		o.found(d.Describe(key))
	}
	return r, nil
}

func (d Derived[K]) differences(ctx context.Context, pool *pgxpool.Pool, o Options, r *Result) (differ []K, err error) {
	// If no server runs, nothing else follows the log.
	unmeasured := prometheus.NewGauge(prometheus.GaugeOpts{})
	if err := d.catchUp(ctx, pool, unmeasured); err != nil {
		return nil, err
	}
	end, err := eventstore.LastPosition(ctx, pool)
	if err != nil {
		return nil, err
	}
	if err := await(ctx, pool, d.Name, end, o); err != nil {
		return nil, err
	}
	err = d.walk(ctx, pool, o, func(keys []K) error {
		r.Compared += int64(len(keys))
		wrong, err := d.compare(ctx, pool, keys)
		differ = append(differ, wrong...)
		return err
	})
	grows := false
	for attempt := 0; err == nil && len(differ) > 0 && (attempt < compareAttempts || grows && attempt < growingAttempts); attempt++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(comparePause):
		}
		before := end
		if end, err = eventstore.LastPosition(ctx, pool); err != nil {
			return nil, err
		}
		grows = end > before
		if err := await(ctx, pool, d.Name, end, Options{Wait: o.Wait}); err != nil {
			return nil, err
		}
		differ, err = d.compare(ctx, pool, differ)
	}
	return differ, err
}

// compare compares rows in one snapshot.
func (d Derived[K]) compare(ctx context.Context, pool *pgxpool.Pool, keys []K) (wrong []K, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		wrong, err = d.Compare(ctx, tx, keys)
		return err
	})
	return wrong, err
}

// await waits until the servers have applied the events up to a position to a Derived or a Folded. If it makes no
// progress for o.Wait, the error is a *BehindError.
func await(ctx context.Context, pool *pgxpool.Pool, name string, upTo int64, o Options) error {
	first, last, moved := int64(-1), int64(-1), time.Now()
	for {
		at, err := positionOf(ctx, pool, name)
		if err != nil && !errors.Is(err, ErrNotBuilt) || at >= upTo {
			return err
		}
		if first < 0 {
			first = at
		}
		if at > last {
			last, moved = at, time.Now()
			o.progress(at-first, upTo-first)
		} else if time.Since(moved) >= cmp.Or(o.Wait, defaultWait) {
			return &BehindError{name, upTo - at}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(awaitPause):
		}
	}
}
