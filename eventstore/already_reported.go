package eventstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/eventstore/postgres"
)

// alreadyReported returns an error that names the open report, if its id is known.
func alreadyReported(reportID string) error {
	return &domain.Error{Code: domain.CodeAlreadyReported, ReportID: reportID,
		Message: "There is already an open report of this by the same reporter."}
}

// refused finds out why a filing was not stored. Its error says that the reporter has an open report of the same
// target, or has filed too many. Without an error the filing can be retried with the returned signals: the open report
// has been resolved since, or the filing lacked some of them.
func (s *Store) refused(ctx context.Context, created *report.Created, now time.Time) ([]signal.Scored, error) {
	filed, err := s.filed(ctx, created, now.Add(-report.FilingWindow))
	switch {
	case err != nil:
		return nil, fmt.Errorf("find out why a filing was refused: %w", err)
	case filed.OpenReportID != "":
		return nil, alreadyReported(filed.OpenReportID)
	case filed.Count >= created.Source.FilingsPerHour():
		return nil, report.TooManyFilings(created.Source.FilingsPerHour(), filed.Oldest, now)
	}
	return filed.Signals, nil
}

// openKeyTaken reports whether err violates the unique index on open keys.
func openKeyTaken(err error) bool {
	return postgres.UniqueBroken(err, "core_moderation_reports_open_key")
}

// openReport returns the id of the open report that conflicts with one of these states, or "".
func (s *Store) openReport(ctx context.Context, wanting []report.State) string {
	for _, after := range wanting {
		if after.ReporterID == nil || after.Status == report.Done {
			continue
		}
		f, err := s.filed(ctx, &report.Created{Target: after.Target, ReporterID: *after.ReporterID}, s.now())
		if err == nil && f.OpenReportID != "" && f.OpenReportID != after.ID {
			return f.OpenReportID
		}
	}
	return ""
}

func (s *Store) filed(ctx context.Context, c *report.Created, since time.Time) (f Filed, err error) {
	b := &pgx.Batch{}
	s.inline.QueueFiled(b, c, since, &f)
	return f, s.pool.SendBatch(ctx, b).Close()
}
