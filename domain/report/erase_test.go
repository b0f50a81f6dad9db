package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// With the snapshot of an author's content goes what others wrote to judge it. Notes, appeals and the words of
// colleagues to each other go with whoever wrote them.
func TestWhatIsErasedWithTheContentOfAnAuthor(t *testing.T) {
	t.Parallel()
	snapshot := created()[0].(*report.Created)
	snapshot.Words = report.CreatedWords{Snapshot: []byte(`{}`)}
	of := report.Contents{Authors: []string{ann}}
	for erased, facts := range map[bool][]report.Fact{
		true: {
			snapshot,
			&report.Resolved{Words: report.ResolvedWords{Explanation: ptr("x")}},
			&report.DecisionHeld{Words: report.ResolvedWords{Reasons: []byte(`"x"`)}},
			&report.HeldReleased{Words: report.HeldReleasedWords{Reason: ptr("x")}},
			&report.AppealDecided{Words: report.AppealDecidedWords{Reply: ptr("x")}},
			&report.ActionFailed{Words: report.ActionFailedWords{Reason: "x"}},
			&report.MeasureEnded{Words: report.MeasureEndedWords{Reason: ptr("x")}},
			&report.MeasureFailed{Words: report.ActionFailedWords{Reason: "x"}},
			&report.SecondSettled{Words: report.SecondSettledWords{Reason: "x"}},
		},
		false: {
			&report.NoteAdded{Words: report.NoteWords{Body: []byte(`"x"`)}},
			&report.Appealed{Words: report.AppealWords{Text: "x"}},
			&report.Reopened{Words: report.ReopenedWords{Reason: ptr("x")}},
			&report.Escalated{Words: report.EscalatedWords{Note: "x"}},
			&report.Returned{Words: report.ReturnedWords{Note: ptr("x")}},
		},
	} {
		for _, f := range facts {
			e := report.Event{ActorID: ptr(bob), Fact: f}
			require.Equal(t, erased, report.SnapshotOf(ann).Erases(of, e), f.EventType())
			require.False(t, report.SnapshotOf(bob).Erases(of, e), "%s: no author", f.EventType())
			require.True(t, report.WrittenBy(bob).Erases(of, e), f.EventType())
			require.False(t, report.WrittenBy(ann).Erases(of, e), f.EventType())
		}
	}
	former := &report.ActionFailed{Reason: "as earlier releases told it"}
	require.False(t, report.SnapshotOf(ann).Erases(of, report.Event{Fact: former}))
	require.Equal(t, "as earlier releases told it", former.Why())
	require.Equal(t, "x", (&report.ActionFailed{Words: report.ActionFailedWords{Reason: "x"}}).Why())
}
