package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// AuthorizeNote is Authorize for a note. The note's author may change it; holders of
// the permission override may change every note.
func (s *Service) AuthorizeNote(ctx context.Context, c *permission.Caller, reportID, noteID, override string) (*Authorized, error) {
	a, err := s.Authorize(ctx, c, reportID, permission.ManageReports)
	if err != nil {
		return nil, err
	}
	if a.note, err = s.reports.Note(ctx, reportID, noteID); err != nil {
		return nil, err
	}
	own := a.note.AuthorID != nil && *a.note.AuthorID == c.UserID
	if !own && !allows(c, a.Report, override) {
		return nil, domain.Errorf(domain.CodeForbidden, "You need the permission %s to change another moderator's note.", override)
	}
	return a, nil
}

// AddNote adds a note and returns its id with the report.
func (s *Service) AddNote(ctx context.Context, a *Authorized, body report.NoteBody) (string, *Report, error) {
	id := uuid.Must(uuid.NewV7()).String()
	r, err := s.decide(ctx, a, func(report.State) ([]report.Fact, error) { return report.DecideAddNote(id, body), nil })
	return id, r, err
}

// EditNote replaces the note's text.
func (s *Service) EditNote(ctx context.Context, a *Authorized, body report.NoteBody, expectedVersion *int) (*Report, error) {
	return s.updateNote(ctx, a, func(l Loaded) ([]report.Fact, error) {
		return report.DecideEditNote(l.State, *l.Note, body, expectedVersion)
	})
}

// DeleteNote deletes the note; it stays in the timeline without its text.
func (s *Service) DeleteNote(ctx context.Context, a *Authorized, expectedVersion *int) (*Report, error) {
	return s.updateNote(ctx, a, func(l Loaded) ([]report.Fact, error) {
		return report.DecideDeleteNote(l.State, *l.Note, expectedVersion)
	})
}

// PinNote pins the note until a time, at most report.MaxPinned from now; nil unpins it.
func (s *Service) PinNote(ctx context.Context, a *Authorized, until *time.Time) (*Report, error) {
	return s.updateNote(ctx, a, func(l Loaded) ([]report.Fact, error) { return report.DecidePinNote(l.State, *l.Note, until, l.Now) })
}

func (s *Service) updateNote(ctx context.Context, a *Authorized, decide func(Loaded) ([]report.Fact, error)) (*Report, error) {
	ref := Ref{ReportID: a.Report.ID, NoteID: a.note.ID}
	return s.update(ctx, a, ref, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		if l.Note == nil {
			return Change{}, domain.NotFound()
		}
		facts, err := decide(l)
		return Change{Facts: facts}, err
	})
}
