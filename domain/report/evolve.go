package report

import (
	"cmp"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/signal"
)

// Evolve returns the state after an event. It accepts every event that the log can contain, with or
// without its evidence.
func Evolve(s State, e Event) State {
	s.ID, s.Sequence, s.Version, s.UpdatedAt = e.ReportID, e.Sequence, e.Version, e.OccurredAt
	s.Erased = s.Erased || e.Erased
	switch f := e.Fact.(type) {
	case *Created:
		s.Status = New
		s.CreatedAt = e.OccurredAt
		s.Target = f.Target
		s.Locale, s.RequestedLocale = f.Locale, f.RequestedLocale
		s.Reason = f.Reason
		s.Alleged, s.Source = f.Policy, cmp.Or(f.Source, FromMember)
		s.ReporterID = domain.OrNull(f.ReporterID)
		s.DueAt, s.Muted = f.DueAt, f.Muted
		if !e.Erased {
			s.Description, s.Snapshot, s.ReporterName = f.Words.Description, f.Words.Snapshot, &f.Words.ReporterName
			s.Title, s.Excerpt = f.Words.Title, f.Words.Excerpt
		}
	case *Assigned:
		s.AssigneeID = f.AssigneeID
		s.Status = InProgress
		if f.AssigneeID == nil {
			s.Status = New
		}
	case *NoteAdded:
		s.NoteCount++
	case *NoteDeleted:
		s.NoteCount--
		s = unpinned(s, f.NoteID)
	case *NotePinned:
		s = pinned(s, e, f)
	case *Resolved:
		s = decided(s, e, f)
		s.Escalation = nil
	case *Escalated:
		s.Escalation = &Escalation{To: f.To, From: f.From, By: e.ActorID, At: e.OccurredAt, Sequence: e.Sequence}
	case *Returned:
		s.Escalation = nil
	case *Reopened:
		s.Status = New
		if s.AssigneeID != nil {
			s.Status = InProgress
		}
		s = undecided(s)
	case *Appealed, *AppealDecided:
		s = appealed(s, e)
	case *ActionDone:
		s.Standing, s.HiddenBy = acted(s.Standing, f), hiddenBy(s.HiddenBy, f)
		s = settled(s, f.Requested)
	case *DecisionHeld, *HeldReleased, *HeldLapsed:
		s = holding(s, e)
	case *AccountRemoved:
		s = holding(appealed(withoutAccount(s, f), e), e)
		s.Measures = measured(s.Measures, e)
	case *MeasureImposed, *MeasureEnded:
		s.Measures = measured(s.Measures, e)
	case *Overdue:
		s.Overdue = true
	case *RuleMatched:
		s = matched(s, e, f)
	case *Signalled:
		s.Signals = signal.Merge(s.Signals, f.Scored()...)
	case *ActionRequested:
		s.Pending = append(slices.Clip(s.Pending), PendingAction{Action: f.Action, Sequence: e.Sequence})
	case *ActionUnchanged:
		if f.Undoes != "" {
			s.Standing = without(s.Standing, f.Undoes)
		}
		s = settled(s, f.Requested)
	case *ActionFailed:
		s = settled(s, f.Requested)
	case *MeasurePending:
		s = pendingMeasure(s, e, f)
	case *MeasureConfirmed:
		s.Measures = measured(s.Measures, e)
		s = settled(s, f.Requested)
	case *MeasureFailed:
		s.Measures = measured(s.Measures, e)
		s = settled(s, f.Requested)
	case *NoteUpdated, *EvidenceErased, *SecondDecided, *SecondSettled:
	}
	return s
}

// withoutAccount removes all references to a deleted account. An open report that was
// assigned to it becomes new, as if it had been unassigned.
func withoutAccount(s State, f *AccountRemoved) State {
	if same(s.ReporterID, &f.UserID) {
		s.ReporterID, s.ReporterName = nil, nil
	}
	if same(s.AssigneeID, &f.UserID) {
		s.AssigneeID = nil
		if s.Status == InProgress {
			s.Status = New
		}
	}
	s.ResolverID = unlessRemoved(s.ResolverID, f)
	s.Escalation = s.Escalation.without(f)
	s.Pins = slices.Clone(s.Pins)
	for i := range s.Pins {
		s.Pins[i].By = unlessRemoved(s.Pins[i].By, f)
	}
	return s
}

// unlessRemoved returns the id, or nil if that account was removed.
func unlessRemoved(id *string, f *AccountRemoved) *string {
	if same(id, &f.UserID) {
		return nil
	}
	return id
}

// same reports whether both are nil or point to equal values.
func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// Fold returns the state after all of a report's events, given oldest first.
func Fold(events []Event) State {
	var s State
	for _, e := range events {
		s = Evolve(s, e)
	}
	return s
}

// EvolveNotes updates the notes of a report, by id, with its next event.
func EvolveNotes(notes map[string]Note, e Event) {
	if id := NoteOf(e.Fact); id != "" {
		notes[id] = EvolveNote(notes[id], e)
	} else if removed, ok := e.Fact.(*AccountRemoved); ok {
		for id, n := range notes {
			n.AuthorID = unlessRemoved(n.AuthorID, removed)
			notes[id] = n
		}
	}
}

// NoteOf returns the id of a fact's note, or "".
func NoteOf(f Fact) string {
	switch f := f.(type) {
	case *NoteAdded:
		return f.NoteID
	case *NoteUpdated:
		return f.NoteID
	case *NoteDeleted:
		return f.NoteID
	}
	return ""
}

// EvolveNote returns a note after an event about it.
func EvolveNote(n Note, e Event) Note {
	switch f := e.Fact.(type) {
	case *NoteAdded:
		n = Note{ID: f.NoteID, ReportID: e.ReportID, AuthorID: e.ActorID, Kind: f.Kind,
			Body: f.Words.Body, Erased: e.Erased, CreatedAt: e.OccurredAt}
	case *NoteUpdated:
		n.Kind, n.Body, n.Erased, n.EditedAt = f.Kind, f.Words.Body, e.Erased, &e.OccurredAt
	case *NoteDeleted:
		n.Body, n.DeletedAt = nil, &e.OccurredAt
	}
	return n
}

// Contents is everything that a report's events fold to. The zero value has no events.
type Contents struct {
	State   State
	Notes   map[string]Note   // by id
	Appeals map[string]Appeal // by id
	Authors []string          // ids of the content's authors, which remain after an erasure

	Ended []EndedDecision // decisions to take action that were replaced, oldest first

	decision int // the sequence of the last decision
}

// Add folds the next event of the report.
func (c *Contents) Add(e Event) {
	if c.Notes == nil {
		c.Notes, c.Appeals = map[string]Note{}, map[string]Appeal{}
	}
	before := c.State
	c.State = Evolve(c.State, e)
	if d := before.replaced(c.State); d != nil {
		c.Ended = append(c.Ended, *d)
	}
	EvolveNotes(c.Notes, e)
	switch f := e.Fact.(type) {
	case *Created:
		c.Authors = AuthorsOf(f.Words.Snapshot)
	case *EvidenceErased:
		if f.Authors != nil {
			c.Authors = f.Authors
		}
	case *Resolved:
		c.decision = e.Sequence
	case *Appealed:
		c.Appeals[f.AppealID] = EvolveAppeal(Appeal{}, c.decision, e)
	case *AppealDecided:
		c.Appeals[f.AppealID] = EvolveAppeal(c.Appeals[f.AppealID], c.decision, e)
	case *AccountRemoved:
		for id, a := range c.Appeals {
			c.Appeals[id] = EvolveAppeal(a, c.decision, e)
		}
	}
}

// decided returns the state after a decision, which replaces an earlier one.
func decided(s State, e Event, f *Resolved) State {
	open := s.openAppeals() // left open by a decision with the same outcome
	var makers []string
	if len(open) > 0 {
		makers = slices.Clip(s.Decision.Makers)
		if s.ResolverID != nil {
			makers = append(makers, *s.ResolverID)
		}
		if s.Decision.ReleasedBy != "" {
			makers = append(makers, s.Decision.ReleasedBy)
		}
	}
	s.Status = Done
	s.ResolverID = e.ActorID
	s.Resolution, s.Explanation, s.Shared = &f.Resolution, f.Words.Explanation, f.Shared
	s.ResolvedAt = &e.OccurredAt
	s.Reasons = f.Words.Reasons
	s.Decision = nil
	if f.Policy != nil || f.Reasoned || f.AppealableUntil != nil || f.DecisionID != "" || f.ReleasedBy != "" || len(open) > 0 {
		s.Decision = &Decision{Sequence: e.Sequence, ID: f.DecisionID, Policy: f.Policy, Reasoned: f.Reasoned, DecidedAt: e.OccurredAt, AppealableUntil: f.AppealableUntil,
			ReleasedBy: f.ReleasedBy, Appeals: open, Makers: makers}
	}
	return s
}

// undecided returns the state after the decision was revoked.
func undecided(s State) State {
	s.ResolverID, s.Resolution, s.Explanation, s.Shared, s.ResolvedAt = nil, nil, nil, false, nil
	s.Reasons, s.Decision = nil, nil
	return s
}

// acted returns the standing actions after another one.
func acted(standing []string, f *ActionDone) []string {
	undoes := f.undone()
	if undoes == "" {
		if slices.Contains(standing, f.Action) {
			return standing
		}
		return append(slices.Clip(standing), f.Action)
	}
	return without(standing, undoes)
}

// undone returns the action that this one undoes, or "".
func (f *ActionDone) undone() string {
	if f.Undoes == "" && f.Action == "unhide" {
		return HideAction // old events do not record what they undo
	}
	return f.Undoes
}

func without(standing []string, undone string) []string {
	return domain.Filter(standing, func(name string) bool { return name != undone })
}
