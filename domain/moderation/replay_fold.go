package moderation

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// A Replay folds a report's events up to a moment. It first reads the events without the texts of notes, and then only
// the texts that it shows, so that memory never holds all events or all texts.
type Replay struct {
	moment Moment
	former bool

	state  report.State
	notes  map[string]report.Note
	texts  map[string]int // by note, the sequence of its text at the moment; 0 if it has none
	latest map[string]int // the same after all events
	last   int            // sequence
}

// NewReplay returns a replay to the moment. If former is set, notes show texts that were edited or deleted later.
func NewReplay(m Moment, former bool) *Replay {
	return &Replay{moment: m, former: former, notes: map[string]report.Note{}, texts: map[string]int{}, latest: map[string]int{}}
}

// Add folds the next event of the report, oldest first. Events after the moment must be added too, since they show
// which texts have changed since.
func (r *Replay) Add(e report.Event) {
	r.last = e.Sequence
	id, text := report.NoteOf(e.Fact), e.Sequence
	if _, deleted := e.Fact.(*report.NoteDeleted); deleted {
		text = 0
	}
	if id != "" {
		r.latest[id] = text
	}
	if !r.moment.includes(e) {
		return
	}
	r.state = report.Evolve(r.state, e)
	report.EvolveNotes(r.notes, e)
	if id != "" {
		r.texts[id] = text
	}
}

// Accounts returns the ids of the accounts that the report refers to at the replay's moment.
func (r *Replay) Accounts() []string {
	seen := map[string]bool{}
	add := func(id *string) {
		if id != nil {
			seen[*id] = true
		}
	}
	add(r.state.ReporterID)
	add(r.state.AssigneeID)
	add(r.state.ResolverID)
	if h := r.state.HeldDecision; h != nil {
		add(&h.By)
	}
	if e := r.state.Escalation; e != nil {
		add(e.To)
		add(e.By)
	}
	for _, n := range r.notes {
		add(n.AuthorID)
	}
	return slices.Sorted(maps.Keys(seen))
}

// Report returns the report as it was at the replay's moment, or not_found if it did not exist yet or has fewer
// events. names maps the ids of accounts that still exist to their names.
func (r *Replay) Report(names map[string]string) (ReplayedReport, error) {
	s := r.state
	if s.ID == "" || r.moment.Sequence > r.last {
		return ReplayedReport{}, domain.NotFound()
	}
	v := ReplayedReport{baseView: baseViewOf(&s, heldIn(&s, names)), Sequence: s.Sequence, At: domain.Time(s.UpdatedAt), Target: ReplayedTarget(s.Target),
		Signals: viewSignals(&s), Rules: viewRules(&s), Escalated: viewEscalatedTo(s.Escalation, names), Snapshot: s.Snapshot}
	v.Reporter, v.Assignee, v.Resolver = named(s.ReporterID, names), named(s.AssigneeID, names), named(s.ResolverID, names)
	return v, nil
}

func named(id *string, names map[string]string) *Person {
	if id == nil || names[*id] == "" {
		return nil
	}
	return &Person{ID: *id, Name: names[*id]}
}

// ReadTexts calls each with the report's note events of these sequences and their texts, in order.
type ReadTexts func(sequences []int, each func(report.Event) error) error

// EachNote calls write with the notes as they stood at the moment of the replay, oldest first. It reads the earlier
// text of a note that has changed only if the replay shows those.
func (r *Replay) EachNote(names map[string]string, read ReadTexts, write func(ReplayedNote) error) error {
	notes := slices.SortedFunc(maps.Values(r.notes), func(a, b report.Note) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	var sequences []int
	for _, n := range notes {
		if r.shows(n.ID) {
			sequences = append(sequences, r.texts[n.ID])
		}
	}
	writeNext := func(text json.RawMessage, erased bool) error {
		n := notes[0]
		notes = notes[1:]
		n.Body, n.Erased = text, n.Erased || erased
		return write(ReplayedNote{NoteView: ViewNote(n, named(n.AuthorID, names)), Withheld: r.withheld(n.ID)})
	}
	if len(sequences) > 0 {
		err := read(sequences, func(e report.Event) error {
			for r.texts[notes[0].ID] != e.Sequence {
				if err := writeNext(nil, false); err != nil {
					return err
				}
			}
			return writeNext(textOf(e.Fact), e.Erased)
		})
		if err != nil {
			return err
		}
	}
	for len(notes) > 0 {
		if err := writeNext(nil, false); err != nil {
			return err
		}
	}
	return nil
}

// shows reports whether a note has a text that may be shown.
func (r *Replay) shows(id string) bool {
	return r.texts[id] != 0 && !r.notes[id].Erased && !r.withheld(id)
}

// withheld reports whether a note's text is not shown because it has changed since.
func (r *Replay) withheld(id string) bool {
	return r.texts[id] != 0 && !r.notes[id].Erased && !r.former && r.texts[id] != r.latest[id]
}

func textOf(f report.Fact) json.RawMessage {
	switch f := f.(type) {
	case *report.NoteAdded:
		return f.Words.Body
	case *report.NoteUpdated:
		return f.Words.Body
	}
	return nil
}
