package statistics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/statistics"
)

// A deadline is kept or missed once, whatever happens to the report later.
func TestDeadlinesKeptAndMissed(t *testing.T) {
	t.Parallel()
	day := func(date string, kept, missed int64) [3]any { return [3]any{date, kept, missed} }
	for name, test := range map[string]struct {
		given func(h *history, id string)
		then  [][3]any // days with either
	}{
		"decided at the last moment": {func(h *history, id string) {
			h.Wait(4 * time.Hour)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 1, 0)}},
		"decided too late, before anybody announced it": {func(h *history, id string) {
			h.Wait(4*time.Hour + time.Second)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"announced, and decided on the next day": {func(h *history, id string) {
			h.Wait(4 * time.Hour)
			h.overdue(t, id)
			h.Wait(24 * time.Hour)
			h.Resolve(t, id, 1, report.NoViolation)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"announced, and still open": {func(h *history, id string) {
			h.Wait(4 * time.Hour)
			h.overdue(t, id)
		}, [][3]any{day("2026-03-01", 0, 1)}},
		"kept, reopened, announced and decided again": {func(h *history, id string) {
			h.Resolve(t, id, 1, report.NoViolation)
			h.Reopen(t, id, 1)
			h.Wait(24 * time.Hour)
			h.overdue(t, id)
			h.Resolve(t, id, 1, report.ActionTaken)
		}, [][3]any{day("2026-03-01", 1, 0)}},
		"still open in time": {func(h *history, _ string) { h.Wait(time.Hour) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHistory(t)
			id := h.fileDue(t, 0, "1", false)
			muted := h.fileDue(t, 1, "1", true)
			h.File(t, 2, "1") // has none
			test.given(h, id)
			h.Resolve(t, muted, 1, report.NoViolation)
			h.project(t)

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
func (h *history) fileDue(t *testing.T, reporter int, target string, muted bool) string {
	t.Helper()
	s, err := h.Store.File(t.Context(), moderation.Filing{Deadlines: report.Deadlines{report.Spam: 4 * time.Hour}, Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: h.Users[reporter], Muted: muted,
		Words: report.CreatedWords{Snapshot: []byte(`{}`)},
	}})
	require.NoError(t, err)
	require.NotNil(t, s.DueAt)
	return s.ID
}

func (h *history) overdue(t *testing.T, id string) {
	t.Helper()
	h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) { return report.DecideOverdue(s, h.Clock()), nil })
}
