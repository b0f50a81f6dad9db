package statistics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/statistics"
)

// A deadline is kept or missed once, whatever happens to the report later.
func TestDeadlinesKeptAndMissed(t *testing.T) {
	t.Parallel()
	day := func(date string, kept, missed int64) [3]any { return [3]any{date, kept, missed} }
	for name, test := range map[string]struct {
		given func(h *logtest.Database, id string)
		then  [][3]any // days with either
	}{
		"decided at the last moment": {func(h *logtest.Database, id string) {
			h.Wait(4 * time.Hour)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 1, 0)}},
		"decided too late, before anybody announced it": {func(h *logtest.Database, id string) {
			h.Wait(4*time.Hour + time.Second)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"announced, and decided on the next day": {func(h *logtest.Database, id string) {
			h.Wait(4 * time.Hour)
			overdue(t, h, id)
			h.Wait(24 * time.Hour)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"announced, and still open": {func(h *logtest.Database, id string) {
			h.Wait(4 * time.Hour)
			overdue(t, h, id)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"kept, reopened, announced and decided again": {func(h *logtest.Database, id string) {
			h.Resolve(t, id, 1, report.NoViolation)
			h.Reopen(t, id, 1)
			h.Wait(24 * time.Hour)
			overdue(t, h, id)
			h.Resolve(t, id, 1, report.ActionTaken)
		}, [][3]any{day("2026-03-01", 1, 0)}},
		"still open in time": {func(h *logtest.Database, _ string) { h.Wait(time.Hour) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := logtest.New(t)
			id := fileDue(t, h, 0, "1", false)
			muted := fileDue(t, h, 1, "1", true)
			h.File(t, 2, "1") // has none
			test.given(h, id)
			h.Resolve(t, muted, 1, report.NoViolation)
			h.Follow(t, statistics.Projections...)

			days, total, err := statistics.NewReader(h.Pool).Daily(t.Context(), everything, statistics.DayFilter{Since: h.Clock().AddDate(0, 0, -7), Until: h.Clock()})
			require.NoError(t, err)
			var found [][3]any
			var kept, missed int64
			for _, d := range days {
				if d.DeadlinesKept+d.DeadlinesMissed > 0 {
					found = append(found, day(d.Day, d.DeadlinesKept, d.DeadlinesMissed))
				}
				kept, missed = kept+d.DeadlinesKept, missed+d.DeadlinesMissed
			}
			require.Equal(t, test.then, found)
			require.Equal(t, []int64{kept, missed}, []int64{total.DeadlinesKept, total.DeadlinesMissed})
		})
	}
}

// fileDue files a report that is due in four hours.
func fileDue(t *testing.T, h *logtest.Database, reporter int, target string, muted bool) string {
	t.Helper()
	return h.File(t, reporter, target, func(f *moderation.Filing) {
		f.Created.Muted, f.Deadlines = muted, report.Deadlines{report.Abusive: 4 * time.Hour}
	})
}

func overdue(t *testing.T, h *logtest.Database, id string) {
	t.Helper()
	h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) { return report.DecideOverdue(s, h.Clock()), nil })
}
