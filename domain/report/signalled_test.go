package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/signal"
)

func TestSignalsOfAReport(t *testing.T) {
	t.Parallel()
	spam := func(score float64, minute int) signal.Scored {
		return signal.Scored{Source: "shop", Name: "spam", Score: score, At: start.Add(time.Duration(minute) * time.Minute)}
	}
	links := signal.Scored{Source: "links", Name: "unknown", Score: 1, At: start}
	fact := func(s signal.Scored) report.Fact {
		return &report.Signalled{Source: s.Source, Signals: []report.SignalAt{{Signal: signal.Signal{Name: s.Name, Score: s.Score}, At: s.At}}}
	}
	events, s := report.Stamp(report.State{}, created(), ptr(ann), start, func() string { return "e" })
	require.Len(t, events, 1)

	facts := report.DecideSignals(s, signal.Merge(nil, spam(0.5, 1), links))
	require.Equal(t, []report.Fact{fact(links), fact(spam(0.5, 1))}, facts, "one of each source")
	events, after := report.Stamp(s, facts, ptr(ann), start, func() string { return "e" })
	require.Equal(t, []signal.Scored{links, spam(0.5, 1)}, after.Signals)
	require.Equal(t, s.Version, after.Version, "they make no decision stale")
	require.Equal(t, s.Sequence+2, after.Sequence)
	for _, e := range events {
		require.Nil(t, e.ActorID, "nobody said it")
		name, _ := report.PublishedAs(e)
		require.Empty(t, name, "it is internal")
	}

	require.Empty(t, report.DecideSignals(after, []signal.Scored{links, spam(0.5, 2)}), "what it knows already")
	require.Empty(t, report.DecideSignals(after, []signal.Scored{spam(0.9, 0)}), "what is older than what it knows")
	require.Equal(t, []report.Fact{fact(spam(0.9, 2))}, report.DecideSignals(after, []signal.Scored{links, spam(0.9, 2)}))
	done := after
	done.Status = report.Done
	require.Empty(t, report.DecideSignals(done, []signal.Scored{spam(0.9, 2)}), "a report that is done")
}
