package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// TimelineList pages a timeline, by the unique index on (report_id, sequence).
var TimelineList = paging.List{
	ID:        paging.ID{Expr: "e.event_id", Kind: paging.UUID},
	Orderings: []paging.Ordering{{Name: "sequence", Expr: "e.sequence", Kind: paging.Int}},
}

// actorName selects the name of an event's actor. It is a subquery, since for a join the planner
// may read every account.
const actorName = `(SELECT a.name FROM core_users a WHERE a.id = e.actor_id)`

// noteNow joins the present note of a note_added entry. OFFSET 0 keeps it from being read for
// events that are not on the page.
const noteNow = ` LEFT JOIN LATERAL (SELECT n.*, ` + noteAuthor + ` AS author FROM core_moderation_report_notes n
	WHERE e.type = 'note_added' AND n.report_id = e.report_id AND n.id = (convert_from(e.payload, 'UTF8')::json ->> 'noteId')::uuid OFFSET 0) n ON true`

const noteAuthor = `(SELECT a.name FROM core_users a WHERE a.id = n.author_id)`

func timeline(reportID string) sqlpage.List[moderation.Entry] {
	return sqlpage.List[moderation.Entry]{Task: "read timeline", SQL: `SELECT ` + eventstore.FactColumns + `,
			CASE WHEN e.type NOT IN ('created', 'note_added', 'note_updated') THEN e.evidence END, e.evidence_digest, e.evidence IS NULL, ` + actorName + `, (SELECT c.description FROM core_moderation_reports c WHERE c.id = e.report_id AND e.type = 'created'),
			n.id IS NOT NULL, n.author_id::text, coalesce(n.kind, ''), n.body, coalesce(n.erased, false), n.edited_at, n.deleted_at, n.author
		FROM core_moderation_report_events e` + noteNow + `
		WHERE e.report_id = $1`, Args: []any{reportID}, Scan: scanEntry,
		Key: func(e moderation.Entry) paging.Position {
			return paging.Position{Value: paging.IntValue(int64(e.Sequence)), ID: paging.UUIDValue(e.ID)}
		}}
}

// Timeline returns one page of a report's timeline.
func (p *Reports) Timeline(ctx context.Context, reportID string, r paging.Request) (paging.Page[moderation.Entry], error) {
	return timeline(reportID).Read(ctx, p.pool, r)
}

// scanEntry scans an event without the evidence that its entry does not show: snapshots, and
// earlier texts of notes.
func scanEntry(row pgx.CollectableRow) (moderation.Entry, error) {
	var r eventstore.Record
	var erased, noted bool
	var actor, description, author *string
	var note report.Note
	err := row.Scan(append(eventstore.FactFields(&r), &r.Evidence, &r.EvidenceDigest, &erased, &actor, &description,
		&noted, &note.AuthorID, &note.Kind, (*[]byte)(&note.Body), &note.Erased, &note.EditedAt, &note.DeletedAt, &author)...)
	if err != nil {
		return moderation.Entry{}, err
	}
	e, err := r.Event()
	if err != nil {
		return moderation.Entry{}, err
	}
	e.Erased = erased && r.EvidenceDigest != nil
	if created, ok := e.Fact.(*report.Created); ok {
		created.Words.Description = description
	}
	data := moderation.EntryData(e)
	if added, ok := data.(*moderation.NoteAddedData); ok && noted {
		note.ID, note.CreatedAt = added.Note.ID, e.OccurredAt
		added.Note = moderation.ViewNote(note, person(note.AuthorID, author))
	}
	return moderation.Entry{ID: e.ID, Sequence: e.Sequence, Type: e.Type, Actor: person(e.ActorID, actor), Version: e.Version,
		OccurredAt: domain.Time(e.OccurredAt), Data: data}, nil
}

// NoteView returns a note as the API shows it.
func (p *Reports) NoteView(ctx context.Context, reportID, noteID string) (moderation.NoteView, error) {
	return postgres.CollectFound(ctx, p.pool, "read note", func(row pgx.CollectableRow) (moderation.NoteView, error) {
		var n report.Note
		var author *string
		err := row.Scan(append(noteFields(&n), &author)...)
		return moderation.ViewNote(n, person(n.AuthorID, author)), err
	}, `SELECT `+noteColumns+`, `+noteAuthor+` FROM core_moderation_report_notes n WHERE n.report_id = $1 AND n.id = $2`, reportID, noteID)
}
