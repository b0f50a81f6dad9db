package replay_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/replay"
	"github.com/docketmod/docket/domain/report"
)

func TestQueueAtAMoment(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ada := "ada"
	event := func(id string, sequence, minute int, f report.Fact) report.Event {
		return report.Event{ID: id, ReportID: id, Sequence: sequence, Version: sequence, Type: f.EventType(), ActorID: &ada,
			OccurredAt: start.Add(time.Duration(minute) * time.Minute), Fact: f}
	}
	// Given a log in which b's events were sealed before older ones of a.
	log := []report.Event{
		event("b", 1, 2, &report.Created{ReporterID: "r"}),
		event("b", 2, 4, &report.Assigned{AssigneeID: &ada}),
		event("a", 1, 1, &report.Created{ReporterID: "r"}),
		event("a", 2, 3, &report.Resolved{Resolution: report.Duplicate}),
		event("a", 3, 5, &report.Reopened{}),
	}
	for name, c := range map[string]struct {
		minute int
		counts replay.QueueCounts
		open   []string
	}{
		"before anything":     {0, replay.QueueCounts{}, nil},
		"one was filed":       {1, replay.QueueCounts{New: 1, Unassigned: 1}, []string{"a"}},
		"two were":            {2, replay.QueueCounts{New: 2, Unassigned: 2}, []string{"b", "a"}},
		"one was resolved":    {3, replay.QueueCounts{New: 1, Done: 1, Unassigned: 1}, []string{"b"}},
		"the other was taken": {4, replay.QueueCounts{InProgress: 1, Done: 1}, []string{"b"}},
		"one was reopened":    {5, replay.QueueCounts{New: 1, InProgress: 1, Unassigned: 1}, []string{"b", "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := replay.NewQueue(start.Add(time.Duration(c.minute) * time.Minute))
			for _, e := range log {
				q.Apply(e)
			}
			v := q.View(report.New, report.InProgress)
			require.Equal(t, c.counts, v.Counts)
			var open []string
			for _, r := range v.Reports {
				open = append(open, r.ID)
			}
			require.Equal(t, c.open, open)
			encoded, err := json.Marshal(v)
			require.NoError(t, err)
			require.NotContains(t, string(encoded), `"reports":null`)
		})
	}
}
