package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// File implements moderation.Log in one round trip. Filings that arrive at the same
// time share it.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	now, created := s.now(), f.Created
	created.DueAt = f.Deadlines.After(created.Reason, now)
	events, after := report.Stamp(report.State{ID: newID()}, []report.Fact{&created}, &created.ReporterID, now, newID)
	b := &pgx.Batch{}
	if err := s.queueWrite(b, created.PluginID, events, after, genesis, moderation.Change{}); err != nil {
		return after, err
	}
	err := s.fileOnce(ctx, &filing{&created, b.QueuedQueries}, events[0].ID)
	switch {
	case err == nil:
		s.appended()
	case openKeyTaken(err), refused(err, FiledAlready):
		return after, alreadyReported(s.openReport(ctx, []report.State{after}))
	case refused(err, FiledTooOften):
		var oldest *time.Time
		if filings, err := s.filed(ctx, &f.Created, now.Add(-report.FilingWindow)); err == nil {
			oldest = filings.Oldest
		}
		return after, report.TooManyFilings(oldest, now)
	}
	return after, err
}

// fileOnce files again when the connection is lost before the answer. The ids stay the
// same, so a filing that was stored after all meets itself, waits until it is committed
// if need be, and has succeeded.
func (s *Store) fileOnce(ctx context.Context, f *filing, eventID string) error {
	postgres.AddWrites(ctx, 1)
	err := error(nil)
	for _, pause := range lostPauses {
		time.Sleep(pause)
		if _, err = s.filings.Do(ctx, f); !postgres.Lost(err) {
			break
		}
		s.pool.Reset()
	}
	var server *pgconn.PgError
	if errors.As(err, &server) && !postgres.Lost(err) {
		var stored bool
		lookup := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_report_events WHERE event_id = $1)`, eventID).Scan(&stored)
		if lookup == nil && stored {
			return nil
		}
	}
	if err != nil && !postgres.Lost(err) {
		postgres.AddWrites(ctx, -1)
	}
	return err
}

// ReportsOf implements moderation.Log. It reads the partial indexes on reporter,
// assignee, resolver, the authors of notes, appellants and deciders.
func (s *Store) ReportsOf(ctx context.Context, userID string, limit int) ([]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT DISTINCT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE reporter_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE assignee_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE resolver_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_report_notes WHERE author_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE appellant_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE decider_id = $1 LIMIT $2)) r LIMIT $2`, userID, limit)
	if err != nil {
		return nil, fmt.Errorf("find the reports of an account: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
