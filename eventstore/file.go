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

// File implements moderation.Log in two round trips. A lock per reporter comes
// before the count, each in a statement of its own: one statement would count
// on the snapshot from before the lock.
func (s *Store) File(ctx context.Context, f moderation.Filing) (report.State, error) {
	var after report.State
	err := s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		var filings Filings
		lock := &pgx.Batch{}
		lock.Queue("BEGIN")
		lock.Queue(`SELECT pg_advisory_xact_lock(hashtextextended('docket:filing:' || $1, 0))`, f.Created.ReporterID)
		s.inline.QueueFilings(lock, &f.Created, s.now().Add(-time.Hour), &filings)
		if err := conn.SendBatch(ctx, lock).Close(); err != nil {
			return fmt.Errorf("lock reporter: %w", err)
		}
		now := s.now()
		if filings.OpenReportID != "" {
			return alreadyReported(filings.OpenReportID)
		}
		if filings.Count >= report.FilingsPerHour {
			return rateLimited(filings.Oldest.Add(time.Hour).Sub(now),
				fmt.Sprintf("You have filed %d reports within an hour.", report.FilingsPerHour))
		}
		var events []report.Event
		created := f.Created
		events, after = report.Stamp(report.State{ID: newID()}, []report.Fact{&created}, &created.ReporterID, now, newID)
		write := &pgx.Batch{}
		if err := s.queueWrite(write, created.PluginID, events, after, genesis, moderation.Change{}); err != nil {
			return err
		}
		return conn.SendBatch(ctx, write).Close()
	})
	if openKeyTaken(err) { // a report was reopened meanwhile
		return after, alreadyReported(s.openReport(ctx, after))
	}
	if err == nil {
		s.appended()
	}
	return after, err
}

// CountAttempt implements moderation.Log. The hour slides by minutes. The count
// is committed without waiting for the disk, which a crash may cost the last
// moments of it; a filing would wait twice otherwise.
func (s *Store) CountAttempt(ctx context.Context, userID string, now time.Time) error {
	var attempts int
	var oldest *time.Time
	b := &pgx.Batch{}
	b.Queue(`SELECT set_config('synchronous_commit', 'off', true)`)
	b.Queue(`INSERT INTO core_moderation_attempts AS a (user_id, minute, attempts) VALUES ($1, date_trunc('minute', $2::timestamptz), 1)
		ON CONFLICT (user_id, minute) DO UPDATE SET attempts = a.attempts + 1`, userID, now)
	b.Queue(`SELECT coalesce(sum(attempts), 0)::int, min(minute) FROM core_moderation_attempts WHERE user_id = $1 AND minute > $2::timestamptz - interval '1 hour'`,
		userID, now).QueryRow(func(row pgx.Row) error { return row.Scan(&attempts, &oldest) })
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("count filing attempt: %w", err)
	}
	if attempts > report.AttemptsPerHour {
		return rateLimited(oldest.Add(time.Hour+time.Minute).Sub(now), "You have tried to file too many reports within an hour.")
	}
	return nil
}

// TrimAttempts forgets the attempts that no limit counts any more.
func (s *Store) TrimAttempts(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM core_moderation_attempts WHERE minute < now() - interval '2 hours'`)
	return err
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
