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
	events, s := report.Stamp(report.State{}, created(), ptr(ann), start, newID)
	require.Len(t, events, 1)

	decide := func(s report.State, kept ...signal.Scored) []report.Fact {
		facts, later := report.DecideSignals(s, kept, start)
		require.Zero(t, later)
		return facts
	}
	facts := decide(s, signal.Merge(nil, spam(0.5, 1), links)...)
	require.Equal(t, []report.Fact{fact(links), fact(spam(0.5, 1))}, facts, "one of each source")
	events, after := report.Stamp(s, facts, ptr(ann), start, newID)
	require.Equal(t, []signal.Scored{links, spam(0.5, 1)}, after.Signals)
	require.Equal(t, s.Version, after.Version, "they make no decision stale")
	require.Equal(t, s.Sequence+2, after.Sequence)
	for _, e := range events {
		require.Nil(t, e.ActorID, "nobody said it")
		name, _ := report.PublishedAs(e)
		require.Empty(t, name, "it is internal")
	}

	require.Empty(t, decide(after, links, spam(0.5, 2)), "what it knows already")
	require.Empty(t, decide(after, spam(0.9, 0)), "what is older than what it knows")
	require.Equal(t, []report.Fact{fact(spam(0.9, 2))}, decide(after, links, spam(0.9, 2)))
	done := after
	done.Status = report.Done
	require.Empty(t, decide(done, spam(0.9, 2)), "a report that is done")
}

// Given a source that changes its score six thousand times a minute for thirty days, the report takes some
// hundreds of them, each as it then is, and in the end the last; another source waits for nobody.
func TestSignalsOfARestlessSourceAreBounded(t *testing.T) {
	t.Parallel()
	_, s := report.Stamp(report.State{}, created(), ptr(ann), start, newID)
	n, now := 0, start
	var later time.Time
	for end := start.Add(30 * 24 * time.Hour); now.Before(end); {
		now = now.Add(10 * time.Millisecond)
		if now.Before(later) { // what comes until then changes nothing
			now = later
		}
		n++
		kept := []signal.Scored{{Source: "shop", Name: "spam", Score: float64(n%100) / 100, At: now}}
		var facts []report.Fact
		facts, later = report.DecideSignals(s, kept, now)
		if later.IsZero() {
			_, s = report.Stamp(s, facts, nil, now, newID)
			require.Equal(t, kept, s.Signals)
		}
	}
	require.Greater(t, s.Sequence, 100)
	require.Less(t, s.Sequence, 350)

	links := signal.Scored{Source: "links", Name: "unknown", Score: 1, At: now}
	last := signal.Scored{Source: "shop", Name: "spam", Score: 1, At: now}
	facts, later := report.DecideSignals(s, signal.Merge(s.Signals, links, last), now)
	require.Equal(t, []report.Fact{&report.Signalled{Source: "links", Signals: []report.SignalAt{{Signal: signal.Signal{Name: "unknown", Score: 1}, At: now}}}}, facts)
	require.False(t, later.After(now.Add(4*24*time.Hour)), "a tenth of the age")
	_, s = report.Stamp(s, facts, nil, now, newID)
	facts, again := report.DecideSignals(s, signal.Merge(s.Signals, last), later)
	require.Len(t, facts, 1)
	require.Zero(t, again)
}

func TestAReportTakesSignalsAtOnceUntilItHas100Events(t *testing.T) {
	t.Parallel()
	spam := func(score float64, at time.Duration) signal.Scored {
		return signal.Scored{Source: "shop", Name: "spam", Score: score, At: start.Add(at)}
	}
	s := report.State{Sequence: 99, CreatedAt: start, Signals: []signal.Scored{spam(0.5, time.Hour)}}
	next, now := []signal.Scored{spam(0.9, time.Hour+time.Second)}, start.Add(time.Hour+time.Second)
	facts, later := report.DecideSignals(s, next, now)
	require.Len(t, facts, 1)
	require.Zero(t, later)
	s.Sequence = 100
	facts, later = report.DecideSignals(s, next, now)
	require.Empty(t, facts)
	require.Equal(t, start.Add(time.Hour+6*time.Minute), later, "a tenth of its age then")
}
