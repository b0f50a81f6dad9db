package eventstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

// File implements moderation.Log in one round trip, which others share under load.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	now, created := s.now(), f.Created
	events, after := report.Stamp(report.State{ID: newID()}, []report.Fact{&created}, &created.ReporterID, now, newID)
	b := &pgx.Batch{}
	if err := s.queueWrite(b, created.PluginID, events, after, genesis, moderation.Change{}); err != nil {
		return after, err
	}
	_, err := s.filings.Ask(ctx, &filing{&created, b.QueuedQueries})
	switch {
	case err == nil:
		s.appended()
	case openKeyTaken(err), refused(err, FiledAlready):
		return after, alreadyReported(s.openReport(ctx, after))
	case refused(err, FiledTooOften):
		wait := time.Second
		if filings, err := s.filed(ctx, &f.Created, now.Add(-time.Hour)); err == nil && filings.Oldest != nil {
			wait = filings.Oldest.Add(time.Hour).Sub(now)
		}
		return after, rateLimited(wait, fmt.Sprintf("You have filed %d reports within an hour.", report.FilingsPerHour))
	}
	return after, err
}

// ReportsOf implements moderation.Log. It reads the partial indexes on the
// three references and on the authors of notes.
func (s *Store) ReportsOf(ctx context.Context, userID string, limit int) ([]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT DISTINCT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE reporter_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE assignee_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE resolver_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_report_notes WHERE author_id = $1 LIMIT $2)) r LIMIT $2`, userID, limit)
	if err != nil {
		return nil, fmt.Errorf("find the reports of an account: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func rateLimited(after time.Duration, message string) error {
	return &domain.Error{Code: domain.CodeRateLimited, Message: message, RetryAfter: max(after, time.Second)}
}
