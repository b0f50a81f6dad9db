package report

// Evolve returns the state after an event. It is total: whatever the log
// holds can be folded, also with its evidence erased.
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
		s.ReporterID = &f.ReporterID
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
	case *Resolved:
		s.Status = Done
		s.ResolverID = e.ActorID
		s.Resolution, s.Explanation, s.Shared = &f.Resolution, f.Words.Explanation, f.Shared
		s.ResolvedAt = &e.OccurredAt
	case *Reopened:
		s.Status = New
		if s.AssigneeID != nil {
			s.Status = InProgress
		}
		s.ResolverID, s.Resolution, s.Explanation, s.Shared, s.ResolvedAt = nil, nil, nil, false, nil
	case *AccountRemoved:
		s = withoutAccount(s, f.UserID)
	case *NoteUpdated, *ActionDone, *EvidenceErased:
	}
	return s
}

// withoutAccount forgets an account (spec 2.6). A report that it held goes back
// to the queue, as an unassigned one does.
func withoutAccount(s State, userID string) State {
	is := func(id *string) bool { return id != nil && *id == userID }
	if is(s.ReporterID) {
		s.ReporterID, s.ReporterName = nil, nil
	}
	if is(s.AssigneeID) {
		s.AssigneeID = nil
		if s.Status == InProgress {
			s.Status = New
		}
	}
	if is(s.ResolverID) {
		s.ResolverID = nil
	}
	return s
}

// Fold is the state after all of a report's events, oldest first.
func Fold(events []Event) State {
	var s State
	for _, e := range events {
		s = Evolve(s, e)
	}
	return s
}

// FoldNotes is the notes of a report after all of its events, by id.
func FoldNotes(events []Event) map[string]Note {
	notes := make(map[string]Note)
	for _, e := range events {
		if id := NoteOf(e.Fact); id != "" {
			notes[id] = EvolveNote(notes[id], e)
		} else if removed, ok := e.Fact.(*AccountRemoved); ok {
			for id, n := range notes {
				if n.AuthorID != nil && *n.AuthorID == removed.UserID {
					n.AuthorID = nil
					notes[id] = n
				}
			}
		}
	}
	return notes
}

// NoteOf is the id of the note that a fact is about, or "".
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
