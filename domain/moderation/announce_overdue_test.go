package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/report"
)

// editedRow finds a report overdue that by its events is not, as an edit of its row by SQL does.
type editedRow struct {
	moderation.Reports
	found int
}

func (r *editedRow) Overdue(context.Context, time.Time, int) ([]string, error) {
	if r.found++; r.found > 2 {
		panic("the job looks for overdue reports for ever")
	}
	return []string{"edited"}, nil
}

// quietLog decides on a report that is done and appends nothing.
type quietLog struct{ moderation.Log }

func (quietLog) Update(ctx context.Context, _ moderation.Ref, _ *string, decide moderation.Decide) (report.State, error) {
	s := report.State{ID: "edited", Status: report.Done}
	_, err := decide(ctx, nil, moderation.Loaded{State: s, Now: time.Now()})
	return s, err
}

func TestAReportThatOnlyItsRowCallsOverdueEndsTheJob(t *testing.T) {
	t.Parallel()
	s := moderation.New(quietLog{}, &editedRow{}, nil, &registry.Targets{}, time.Now, "en")
	require.ErrorContains(t, s.AnnounceOverdue(t.Context()), "the row of report edited differs from the log")
}
