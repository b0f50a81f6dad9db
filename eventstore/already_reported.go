package eventstore

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// alreadyReported returns an error that names the open report, if its id is known.
func alreadyReported(reportID string) error {
	return &domain.Error{Code: domain.CodeAlreadyReported, ReportID: reportID,
		Message: "There is already an open report of this by the same reporter."}
}

// openKeyTaken reports whether err violates the unique index on open keys.
func openKeyTaken(err error) bool {
	return postgres.UniqueBroken(err, "core_moderation_reports_open_key")
}

// openReport returns the id of the open report that conflicts with one of these states.
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
