package cases_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/cases"
)

// Given a case whose row says that it has a thousand reports more than it has, when somebody
// files one more, then the row grows by one: its reports were not read. A decision reads them.
func TestAFilingJoinsItsCaseWithoutReadingTheOthers(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	first := d.File(t, 0, "1")
	d.Follow(t, cases.Projection)
	d.SQL(t, `UPDATE core_moderation_cases SET open_reports = 1001, reasons = '{"spam": 1000, "abusive": 1}'`)

	d.Wait(time.Minute)
	d.File(t, 1, "1")
	d.Follow(t, cases.Projection)
	require.Equal(t, map[string]int{"spam": 1000, "abusive": 2}, all(t, d)[0].Reasons)
	require.Equal(t, 1002, all(t, d)[0].Open)

	d.Resolve(t, first, 2, report.NoViolation)
	d.Follow(t, cases.Projection)
	require.Equal(t, map[string]int{"abusive": 1}, all(t, d)[0].Reasons)
}

// Given a case that counts a report before its event is told, when the event is, then the
// report is not counted again; nor is one that is told later counted before.
func TestAReportIsCountedOnceInItsCase(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	file := func(reporter int) {
		d.Wait(time.Minute)
		d.File(t, reporter, "1")
	}
	open := func() int { return all(t, d)[0].Open }
	file(0)
	d.Follow(t, cases.Projection)
	file(1)
	d.Rebuild(t, cases.Projection)
	require.Equal(t, 2, open(), "read before it is told")

	file(2)
	d.Seal(t)
	file(3)
	d.CatchUp(t, cases.Projection)
	require.Equal(t, 3, open(), "of four, since the last is not told")
	d.Follow(t, cases.Projection)
	require.Equal(t, 4, open())

	d.SQL(t, `UPDATE core_projections SET position = 0 WHERE name = 'cases'`)
	d.Follow(t, cases.Projection)
	require.Equal(t, 4, open(), "after events that are applied again")
}

// Given random filings that are told in another order than they were filed in, and decisions,
// while servers restart and rebuild, then the cases are those of reading every report.
func TestCasesThatGrowAreThoseOfReadingEveryReport(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	random := rand.New(rand.NewPCG(3, 4))
	type filed struct{ id, key string }
	var reports []filed // those that are open
	open := map[string]bool{}
	for step := range 300 {
		d.Wait(time.Duration(random.IntN(5)-1) * time.Minute) // also the same moment, and back
		target, reporter := fmt.Sprint(random.IntN(3)), random.IntN(4)
		key, i := fmt.Sprint(reporter, target), random.IntN(len(reports)+1)
		switch {
		case random.IntN(3) > 0 && !open[key]:
			reports, open[key] = append(reports, filed{d.File(t, reporter, target), key}), true
		case i < len(reports):
			d.Resolve(t, reports[i].id, 3, report.Resolutions[random.IntN(3)])
			delete(open, reports[i].key)
			reports = slices.Delete(reports, i, i+1)
		}
		switch random.IntN(4) {
		case 0:
			d.Seal(t)
		case 1:
			d.CatchUp(t, cases.Projection)
		case 2:
			if random.IntN(5) == 0 {
				d.Rebuild(t, cases.Projection)
			}
		}
		if step%25 == 0 {
			d.Follow(t, cases.Projection)
			require.Empty(t, d.Wrong(t, cases.Projection))
		}
	}
}
