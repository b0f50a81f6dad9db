package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

func TestDeadlinesAreReadWithEveryFault(t *testing.T) {
	t.Parallel()
	var d report.Deadlines
	require.NoError(t, d.UnmarshalText([]byte(" abusive=4h, spam=48h,")))
	require.Equal(t, report.Deadlines{report.Abusive: 4 * time.Hour, report.Spam: 48 * time.Hour}, d)

	err := d.UnmarshalText([]byte("rude=4h,spam=soon,abusive=1ms,other=1h,other=2h"))
	require.EqualError(t, err, `"rude" is no reason: use spam, abusive, rule_violation, other
"soon" is not a duration such as 4h or 30m
the deadline of abusive is shorter than 1s
other is given twice`)
	require.Len(t, d, 2, "what was read before stands")
}

func TestOverdueIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	filed := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	due := report.Deadlines{report.Spam: time.Hour}.After(report.Spam, filed)
	given := func(facts ...report.Fact) report.State {
		_, s := report.Stamp(report.State{ID: "1"}, append([]report.Fact{&report.Created{Reason: report.Spam, DueAt: due}}, facts...), nil, filed, newID)
		return s
	}

	require.Nil(t, report.DecideOverdue(given(), due.Add(-1)), "before it is due")
	announced := report.DecideOverdue(given(), *due)
	require.Equal(t, []report.Fact{&report.Overdue{DueAt: *due}}, announced)
	require.Nil(t, report.DecideOverdue(given(announced...), due.Add(time.Hour)), "it was announced")
	require.Nil(t, report.DecideOverdue(given(&report.Resolved{Resolution: report.NoViolation}), due.Add(time.Hour)), "it is done")

	before := given()
	_, after := report.Stamp(before, announced, nil, *due, newID)
	require.Equal(t, before.Version, after.Version, "no decision goes stale")
	require.Equal(t, before.Status, after.Status)
}
