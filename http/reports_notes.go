package http

import (
	"bufio"
	"errors"
	"io"
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// noteAnswer is the answer of the commands on notes.
type noteAnswer struct {
	Note   moderation.NoteView `json:"note"`
	Report *moderation.Report  `json:"report"`
}

func (a *Reports) noteRoutes() []route {
	return []route{
		{http.MethodPost, "/moderation/reports/{id}/notes", moderator, with(a.manages, a.addNote)},
		{http.MethodPost, "/moderation/reports/{id}/notes/{noteId}/edit", moderator, a.editNote},
		{http.MethodPost, "/moderation/reports/{id}/notes/{noteId}/delete", moderator, a.deleteNote},
		{http.MethodPost, "/moderation/reports/{id}/notes/{noteId}/pin", moderator, a.pinNote},
	}
}

func (a *Reports) addNote(w http.ResponseWriter, r *http.Request, at *moderation.Authorized) error {
	b := readBody(w, r)
	text := noteBody(b)
	if err := b.Err(); err != nil {
		return err
	}
	noteID, view, err := a.Moderation.AddNote(r.Context(), at, text)
	return a.answerNote(w, r, http.StatusCreated, noteID, view, err)
}

func (a *Reports) editNote(w http.ResponseWriter, r *http.Request) error {
	at, noteID, err := a.authorizeNote(r, permission.EditNotes)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	text, version := noteBody(b), b.optionalInteger("expectedVersion")
	if err := b.Err(); err != nil {
		return err
	}
	view, err := a.Moderation.EditNote(r.Context(), at, text, version)
	return a.answerNote(w, r, http.StatusOK, noteID, view, err)
}

// deleteNote accepts a body with expectedVersion, or no body.
func (a *Reports) deleteNote(w http.ResponseWriter, r *http.Request) error {
	at, noteID, err := a.authorizeNote(r, permission.DeleteNotes)
	if err != nil {
		return err
	}
	b := readOptionalBody(w, r)
	version := b.optionalInteger("expectedVersion")
	if err := b.Err(); err != nil {
		return err
	}
	view, err := a.Moderation.DeleteNote(r.Context(), at, version)
	return a.answerNote(w, r, http.StatusOK, noteID, view, err)
}

// pinNote pins a note by any author.
func (a *Reports) pinNote(w http.ResponseWriter, r *http.Request) error {
	at, noteID, err := a.authorizeNote(r, permission.ManageReports)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	until := b.nullableEnd("until", report.MaxPinned, "a year")
	if err := b.Err(); err != nil {
		return err
	}
	view, err := a.Moderation.PinNote(r.Context(), at, until)
	return a.answerNote(w, r, http.StatusOK, noteID, view, err)
}

func (a *Reports) authorizeNote(r *http.Request, override string) (*moderation.Authorized, string, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, "", err
	}
	noteID, noteErr := pathID(r, "noteId")
	if noteErr != nil {
		// Whether the caller may see the report is checked before the note's existence.
		if _, err := a.Moderation.Authorize(r.Context(), callerOf(r), id, permission.ManageReports); err != nil {
			return nil, "", err
		}
		return nil, "", noteErr
	}
	at, err := a.Moderation.AuthorizeNote(r.Context(), callerOf(r), id, noteID, override)
	return at, noteID, err
}

func (a *Reports) answerNote(w http.ResponseWriter, r *http.Request, status int, noteID string, view *moderation.Report, err error) error {
	if err != nil {
		return err
	}
	note, err := a.Queries.NoteView(r.Context(), view.ID, noteID)
	return answerJSON(w, status, noteAnswer{note, view}, err)
}

func noteBody(b *body) report.NoteBody {
	raw := b.required("body")
	if raw == nil {
		return report.NoteBody{}
	}
	text, issues := report.ParseNote(raw)
	b.add(issues)
	return text
}

// readOptionalBody is readBody for a command that may be sent without a body.
func readOptionalBody(w http.ResponseWriter, r *http.Request) *body {
	if r.ContentLength == 0 {
		return &body{read: map[string]bool{}}
	}
	if r.ContentLength < 0 { // the length is unknown, and may be 0
		begun := bufio.NewReader(r.Body)
		if _, err := begun.Peek(1); errors.Is(err, io.EOF) {
			return &body{read: map[string]bool{}}
		}
		r.Body = io.NopCloser(begun)
	}
	return readBody(w, r)
}
