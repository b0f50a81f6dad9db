package eventstore

import (
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/report"
)

// The SQLSTATEs with which the database refuses a note event.
const (
	tooManyNotes = "DK003"
	notesTooFast = "DK004"
)

// queueNoteLimits counts the note events toward their limits, by core_moderation_note_rates, before they are appended.
func queueNoteLimits(b *pgx.Batch, events []report.Event) {
	for _, e := range events {
		if _, pinned := e.Fact.(*report.NotePinned); pinned || report.NoteOf(e.Fact) != "" {
			b.Queue(`SELECT core_moderation_admit_note($1, $2, $3, $4, $5)`, e.ReportID, e.ActorID, e.OccurredAt,
				report.NoteEventsPerReport, report.NoteEventsPerMinute)
		}
	}
}

// noteLimited converts the database's refusal of a note event, and returns other errors unchanged.
func noteLimited(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch pg.Code {
	case tooManyNotes:
		return report.TooManyNotes()
	case notesTooFast:
		seconds, _ := strconv.Atoi(pg.Detail)
		return report.NotesTooFast(time.Duration(seconds) * time.Second)
	}
	return err
}
