package eventstore

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/hold"
	"github.com/docketmod/docket/eventstore/postgres"
)

// holds are the legal holds on a report.
type holds struct {
	until *time.Time // when the last standing one ends; nil if none stands
	ended *time.Time // when the last one ended, or ends
}

func (h holds) refuse() error {
	if h.until == nil {
		return nil
	}
	return hold.Held("Its words are", *h.until)
}

// after returns now, or the end of the holds if that is later because another server's clock differs, so that no
// erasure is recorded before it was allowed.
func (h holds) after(now time.Time) time.Time {
	if h.ended != nil && h.ended.After(now) {
		return *h.ended
	}
	return now
}

// standing is the condition that a hold stands, by the same clock as the trigger that prevents erasure.
const standing = `lifted_at IS NULL AND until > clock_timestamp()`

func queueHolds(b *pgx.Batch, reportID string, h *holds) {
	b.Queue(`SELECT max(until) FILTER (WHERE `+standing+`), max(coalesce(lifted_at, until)) FROM core_holds_of($1)`, reportID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&h.until, &h.ended) })
}

// heldMeanwhile makes an erasure run again if the trigger prevented it because of a hold that was set concurrently; the
// retry finds the hold.
func heldMeanwhile(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.ConstraintName == "core_holds" {
		return fmt.Errorf("%w: %w", postgres.ErrRepeat, err)
	}
	return err
}
