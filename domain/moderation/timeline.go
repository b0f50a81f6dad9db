package moderation

import "github.com/docketmod/docket/domain/report"

// The data of timeline entries (contract 3.4). Erased words are null with
// `erased: true` beside them.
type (
	createdData struct {
		Reason      report.Reason `json:"reason"`
		Description *string       `json:"description"`
		Erased      bool          `json:"erased,omitempty"`
	}
	// NoteAddedData shows the note as it is now, not as it was added.
	NoteAddedData struct {
		Note NoteView `json:"note"`
	}
	noteData struct {
		NoteID string `json:"noteId"`
	}
	resolvedData struct {
		Resolution  report.Resolution `json:"resolution"`
		Explanation *string           `json:"explanation"`
		Erased      bool              `json:"erased,omitempty"`
	}
	reopenedData struct {
		Reason *string `json:"reason"`
		Erased bool    `json:"erased,omitempty"`
	}
)

// EntryData is the data of an event's timeline entry. That of note_added names
// the note alone; whoever shows it fills in the note.
func EntryData(e report.Event) any {
	switch f := e.Fact.(type) {
	case *report.Created:
		return createdData{f.Reason, f.Words.Description, e.Erased}
	case *report.NoteAdded:
		return &NoteAddedData{NoteView{ID: f.NoteID, Kind: f.Kind, CreatedAt: Time(e.OccurredAt), Erased: e.Erased}}
	case *report.NoteUpdated:
		return noteData{f.NoteID}
	case *report.NoteDeleted:
		return noteData{f.NoteID}
	case *report.Resolved:
		return resolvedData{f.Resolution, f.Words.Explanation, e.Erased}
	case *report.Reopened:
		return reopenedData{f.Words.Reason, e.Erased}
	case *report.Assigned, *report.ActionDone:
		return f
	}
	return struct{}{}
}

// ViewNote is a note for the API.
func ViewNote(n report.Note, author *Person) NoteView {
	return NoteView{ID: n.ID, Author: author, Body: n.Body, Kind: n.Kind, CreatedAt: Time(n.CreatedAt),
		EditedAt: TimeOf(n.EditedAt), DeletedAt: TimeOf(n.DeletedAt), Erased: n.Erased}
}
