package eventstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// lostPauses are the pauses before each attempt after a lost connection.
var lostPauses = []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond, 1500 * time.Millisecond}

// resolve finds out whether a transaction was committed although the connection was lost during its
// commit. It returns nil if it was, otherwise err. If it certainly was not, resolve subtracts it
// from the request's writes, so that the request may be repeated. The server may still be executing
// the commit and holds the report's lock meanwhile, so resolve takes that lock first.
func (s *Store) resolve(ctx context.Context, events []report.Event, err error) error {
	if len(events) == 0 || !postgres.Lost(err) || pgconn.SafeToRetry(err) {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	for _, pause := range lostPauses {
		time.Sleep(pause)
		s.Reconnect()
		var found bool
		failure := pgx.BeginFunc(postgres.Untracked(ctx), s.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT FROM core_moderation_reports WHERE id = $1 FOR UPDATE`, events[0].ReportID); err != nil {
				return err
			}
			return tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_report_events WHERE event_id = $1)`, events[0].ID).Scan(&found)
		})
		switch {
		case failure == nil && found:
			return nil
		case failure == nil:
			postgres.AddWrites(ctx, -1)
			return err
		}
	}
	return err
}
