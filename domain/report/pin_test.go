package report_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

func TestPinnedNotes(t *testing.T) {
	t.Parallel()
	friday := start.Add(72 * time.Hour)
	pins := func(events ...report.Fact) report.State {
		s := report.State{}
		for _, f := range events {
			s = report.Evolve(s, report.Event{ActorID: ptr(ann), OccurredAt: start, Fact: f})
		}
		return s
	}
	pin := func(note string, until *time.Time) report.Fact { return &report.NotePinned{NoteID: note, Until: until} }
	standing := []report.Pin{{NoteID: "n", Until: friday, By: ptr(ann)}}

	for name, c := range map[string]struct {
		events []report.Fact
		want   []report.Pin
	}{
		"is pinned":                      {[]report.Fact{pin("n", &friday)}, standing},
		"is pinned anew":                 {[]report.Fact{pin("n", ptr(start.Add(time.Hour))), pin("n", &friday)}, standing},
		"is taken back":                  {[]report.Fact{pin("n", &friday), pin("n", nil)}, nil},
		"ends with the note":             {[]report.Fact{pin("n", &friday), &report.NoteDeleted{NoteID: "n"}}, nil},
		"outlives another note":          {[]report.Fact{pin("n", &friday), &report.NoteDeleted{NoteID: "o"}}, standing},
		"outlives its maker's account":   {[]report.Fact{pin("n", &friday), &report.AccountRemoved{UserID: ann}}, []report.Pin{{NoteID: "n", Until: friday}}},
		"outlives the account of others": {[]report.Fact{pin("n", &friday), &report.AccountRemoved{UserID: bob}}, standing},
	} {
		require.Equal(t, c.want, pins(c.events...).Pins, name)
	}

	s := pins(pin("n", &friday))
	require.Equal(t, standing, s.PinsAt(friday.Add(-time.Microsecond)))
	require.Empty(t, s.PinsAt(friday), "it ends with its time")
	require.Len(t, report.Evolve(s, report.Event{OccurredAt: friday, Fact: pin("o", ptr(friday.Add(1)))}).Pins, 1, "what has ended is forgotten")

	decide := func(s report.State, n report.Note, until *time.Time) []report.Fact {
		facts, err := report.DecidePinNote(s, n, until, start)
		require.NoError(t, err)
		return facts
	}
	require.Equal(t, []report.Fact{pin("n", &friday)}, decide(report.State{}, report.Note{ID: "n"}, &friday))
	require.Equal(t, []report.Fact{pin("n", nil)}, decide(s, report.Note{ID: "n"}, nil))
	require.Empty(t, decide(s, report.Note{ID: "n"}, &friday), "it is so already")
	require.Empty(t, decide(report.State{}, report.Note{ID: "n"}, nil), "it is not pinned")
	_, err := report.DecidePinNote(s, report.Note{ID: "o", DeletedAt: &start}, &friday, start)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	full := report.State{}
	for i := range report.MaxPins {
		full.Pins = append(full.Pins, report.Pin{NoteID: fmt.Sprint(i), Until: friday})
	}
	require.Len(t, decide(full, report.Note{ID: "0"}, ptr(start.Add(time.Hour))), 1, "it replaces its own")
	_, err = report.DecidePinNote(full, report.Note{ID: "n"}, &friday, start)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))

	events, after := report.Stamp(s, decide(s, report.Note{ID: "n"}, nil), ptr(ann), start, newID)
	require.Equal(t, s.Version, after.Version, "it makes no decision stale")
	name, _ := report.PublishedAs(events[0])
	require.Empty(t, name, "it is internal")
}
