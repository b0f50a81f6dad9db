package eventstore

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// File implements moderation.Log in one round trip. Concurrent filings share it, and each is stored or refused by
// itself.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	now := s.now()
	created := report.DecideFiling(f.Created, f.Deadlines, now)
	filing, err := s.newFiling(f.ID, created, nil, now)
	if err != nil {
		return report.State{}, err
	}
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		filing.Hasty = attempt == maxAttempts // signals arrive so fast that it is always late
		stored, err := s.fileOnce(ctx, filing)
		if err != nil {
			return filing.State, err
		}
		if stored {
			s.appended()
			return filing.State, nil
		}
		kept, err := s.refused(ctx, created, now)
		if err == nil && !slices.Equal(kept, filing.Signals) {
			filing, err = s.newFiling(f.ID, created, kept, now)
		}
		if err != nil {
			return report.State{}, err
		}
	}
	return report.State{}, alreadyReported("")
}

// fileOnce reports whether the filing was stored. If the connection is lost or a batch ends early, the filing runs
// again with the same ids: if it was stored after all, it conflicts with itself and is found by the id of its event.
func (s *Store) fileOnce(ctx context.Context, f *filing) (stored bool, err error) {
	postgres.AddWrites(ctx, 1)
	for _, pause := range lostPauses {
		time.Sleep(pause)
		if stored, err = s.filings.Do(ctx, f); !postgres.Lost(err) {
			break
		}
		s.Reconnect()
	}
	if err == nil && !stored {
		err = s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_moderation_report_events WHERE event_id = $1)`, f.records[0].EventID).Scan(&stored)
	}
	if !stored && (err == nil || postgres.NotCommitted(err)) {
		postgres.AddWrites(ctx, -1)
	}
	return stored, err
}

// ReportsOf implements moderation.Log. It reads the partial indexes on reporter, assignee, resolver, pinned notes,
// escalations, held and released decisions, the authors of notes, appellants, deciders and imposers of measures.
func (s *Store) ReportsOf(ctx context.Context, userID string, limit int) ([]string, error) {
	return postgres.Collect(ctx, s.pool, "find the reports of an account", pgx.RowTo[string], `SELECT DISTINCT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE reporter_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE assignee_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE resolver_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE pins IS NOT NULL AND pins::jsonb @> jsonb_build_array(jsonb_build_object('by', $1::text)) LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE held IS NOT NULL AND held ->> 'by' = $1::text LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE decision ->> 'releasedBy' = $1::text LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE escalation IS NOT NULL AND $1::text IN (escalated_to::text, escalation ->> 'by', escalation ->> 'from') LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_report_notes WHERE author_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE appellant_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE decider_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_measures WHERE imposed_by = $1 LIMIT $2) UNION ALL
		(SELECT r.id FROM core_moderation_appeals a JOIN core_moderation_reports r ON r.id = a.report_id
			WHERE a.status = 'open' AND jsonb_exists(r.decision::jsonb->'makers', $1::text) LIMIT $2)) r LIMIT $2`, userID, limit)
}
