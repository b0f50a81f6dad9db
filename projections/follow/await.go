package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Patience is how long to wait for a position that does not move.
const Patience = 30 * time.Second

// awaitPause is the time between two looks at a position.
const awaitPause = 100 * time.Millisecond

// BehindError means that a projection does not show the latest events yet, so that its rows
// cannot be told right from wrong.
type BehindError struct {
	Name   string
	Events int64
}

func (e *BehindError) Error() string {
	return fmt.Sprintf("%s: %d events behind the log", e.Name, e.Events)
}

// Await waits until a projection that servers keep shows the events up to a position. If it
// makes no progress for as long as patience, Await returns a *BehindError. progress, if not nil,
// is called with the number of events applied and their total.
func Await(ctx context.Context, pool *pgxpool.Pool, name string, upTo int64, patience time.Duration, progress func(done, total int64)) error {
	first, last, moved := int64(-1), int64(-1), time.Now()
	for {
		at, err := positionOf(ctx, pool, name)
		if err != nil || at >= upTo {
			return err
		}
		if first < 0 {
			first = at
		}
		if at > last {
			last, moved = at, time.Now()
			if progress != nil {
				progress(at-first, upTo-first)
			}
		} else if time.Since(moved) >= patience {
			return &BehindError{name, upTo - at}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(awaitPause):
		}
	}
}

// positionOf returns the position up to which a projection shows the log, 0 if it is not built.
func positionOf(ctx context.Context, db postgres.Querier, name string) (int64, error) {
	at, err := postgres.CollectOne(ctx, db, "read the position of "+name, pgx.RowTo[int64],
		`SELECT position FROM core_projections WHERE name = $1 AND build = 1`, name)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return at, err
}

// A row that changes while it is compared may lag behind its reports. Recheck compares it
// again after this pause and after its projection has caught up, as often as recheckAttempts,
// or while the log grows as often as growingAttempts.
const (
	recheckAttempts = 6
	growingAttempts = 40
	recheckPause    = 500 * time.Millisecond
)

// Recheck calls check with the rows of a projection that seem wrong, and again with those that
// it returns, until none is left or each has been compared after the follower caught up, several
// times. It returns the rows that are still wrong, or a *BehindError.
func Recheck[T any](ctx context.Context, pool *pgxpool.Pool, name string, suspects []T, check func([]T) ([]T, error)) (wrong []T, err error) {
	var before int64
	grows := false
	for attempt := 0; len(suspects) > 0 && (attempt < recheckAttempts || grows && attempt < growingAttempts); attempt++ {
		select {
		case <-ctx.Done():
			return suspects, ctx.Err()
		case <-time.After(recheckPause):
		}
		end, err := eventstore.LastPosition(ctx, pool)
		if err != nil {
			return suspects, err
		}
		grows = attempt > 0 && end > before
		before = end
		if err := Await(ctx, pool, name, end, Patience, nil); err != nil {
			return suspects, err
		}
		if suspects, err = check(suspects); err != nil {
			return suspects, err
		}
	}
	return suspects, nil
}
