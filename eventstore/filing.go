package eventstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// File implements moderation.Log in one round trip. Filings that arrive at the same
// time share it, and each is stored or refused by itself.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	now := s.now()
	created := report.DecideFiling(f.Created, f.Deadlines, now)
	events, after := report.Stamp(report.State{ID: newID()}, []report.Fact{created}, &created.ReporterID, now, newID)
	filing, err := s.newFiling(created, events, after)
	if err != nil {
		return after, err
	}
	for range maxAttempts {
		stored, err := s.fileOnce(ctx, filing, events[0].ID)
		if err != nil {
			return after, err
		}
		if stored {
			s.appended()
			return after, nil
		}
		if err := s.refused(ctx, created, now); err != nil {
			return after, err
		}
	}
	return after, alreadyReported("")
}

// fileOnce reports whether the filing was stored. If a connection is lost or a batch ends before
// the answer, the filing runs again with the same ids: one that was stored after all conflicts
// with itself, once it is committed, and is then found by the id of its event.
func (s *Store) fileOnce(ctx context.Context, f *filing, eventID string) (stored bool, err error) {
	postgres.AddWrites(ctx, 1)
	for _, pause := range lostPauses {
		time.Sleep(pause)
		if stored, err = s.filings.Do(ctx, f); !postgres.Lost(err) {
			break
		}
		s.Reconnect()
	}
	if err == nil && !stored {
		err = s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_report_events WHERE event_id = $1)`, eventID).Scan(&stored)
	}
	if !stored && (err == nil || postgres.NotCommitted(err)) {
		postgres.AddWrites(ctx, -1)
	}
	return stored, err
}

// ReportsOf implements moderation.Log. It reads the partial indexes on reporter,
// assignee, resolver, pinned notes, the authors of notes, appellants, deciders and who imposed
// measures.
func (s *Store) ReportsOf(ctx context.Context, userID string, limit int) ([]string, error) {
	return postgres.Collect(ctx, s.pool, "find the reports of an account", pgx.RowTo[string], `SELECT DISTINCT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE reporter_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE assignee_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE resolver_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE pins IS NOT NULL AND pins::jsonb @> jsonb_build_array(jsonb_build_object('by', $1::text)) LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_report_notes WHERE author_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE appellant_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE decider_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_measures WHERE imposed_by = $1 LIMIT $2) UNION ALL
		(SELECT r.id FROM core_moderation_appeals a JOIN core_moderation_reports r ON r.id = a.report_id
			WHERE a.status = 'open' AND jsonb_exists(r.decision::jsonb->'makers', $1::text) LIMIT $2)) r LIMIT $2`, userID, limit)
}
