package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

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

// actorName is a subquery, since for a join the planner may read every account.
const actorName = `(SELECT a.name FROM core_users a WHERE a.id = e.actor_id)`

// Timeline returns one page of a report's timeline.
func (p *Reports) Timeline(ctx context.Context, reportID string, r paging.Request) (paging.Page[moderation.Entry], error) {
	page, err := sqlpage.List[moderation.Entry]{Task: "read timeline", SQL: `SELECT e.event_id::text, e.report_id::text, e.sequence, e.version, e.type, e.payload,
			CASE WHEN e.type NOT IN ('created', 'note_added', 'note_updated') THEN e.evidence END, e.evidence_digest, e.actor_id::text, e.occurred_at,
			e.evidence IS NULL, ` + actorName + `, (SELECT c.description FROM core_moderation_reports c WHERE c.id = e.report_id AND e.type = 'created')
		FROM core_moderation_report_events e
		WHERE e.report_id = $1`, Args: []any{reportID}, Scan: scanEntry,
		Key: func(e moderation.Entry) paging.Position {
			return paging.Position{Value: paging.IntValue(int64(e.Sequence)), ID: paging.UUIDValue(e.ID)}
		}}.Read(ctx, p.pool, r)
	if err == nil {
		err = p.addNotes(ctx, reportID, page.Edges)
	}
	return page, err
}

// FirstTimeline implements moderation.Reports.
func (p *Reports) FirstTimeline(ctx context.Context, reportID string) (paging.Page[moderation.Entry], error) {
	return p.Timeline(ctx, reportID, TimelineList.First(paging.DefaultSize))
}

// scanEntry scans an event without the evidence that its entry does not show: snapshots, and
// texts of notes, which are shown as they are now.
func scanEntry(row pgx.CollectableRow) (moderation.Entry, error) {
	var r eventstore.Record
	var erased bool
	var actor, description *string
	err := row.Scan(&r.EventID, &r.ReportID, &r.Sequence, &r.Version, &r.Type, &r.Payload, &r.Evidence, &r.EvidenceDigest,
		&r.ActorID, &r.OccurredAt, &erased, &actor, &description)
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
	return moderation.Entry{ID: e.ID, Sequence: e.Sequence, Type: e.Type, Actor: person(e.ActorID, actor), Version: e.Version,
		OccurredAt: moderation.Time(e.OccurredAt), Data: moderation.EntryData(e)}, nil
}

// addNotes sets the notes of a page's note_added entries, as they are now.
func (p *Reports) addNotes(ctx context.Context, reportID string, entries []moderation.Entry) error {
	wanted := map[string]*moderation.NoteAddedData{}
	var ids []string
	for _, e := range entries {
		if d, ok := e.Data.(*moderation.NoteAddedData); ok {
			wanted[d.Note.ID] = d
			ids = append(ids, d.Note.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	notes, err := p.notes(ctx, `n.report_id = $1 AND n.id = ANY ($2::uuid[])`, reportID, ids)
	if err != nil {
		return err
	}
	for _, n := range notes {
		wanted[n.ID].Note = n
	}
	return nil
}

// NoteView returns a note as the API shows it.
func (p *Reports) NoteView(ctx context.Context, reportID, noteID string) (moderation.NoteView, error) {
	notes, err := p.notes(ctx, `n.report_id = $1 AND n.id = $2`, reportID, noteID)
	if err != nil || len(notes) == 0 {
		return moderation.NoteView{}, err
	}
	return notes[0], nil
}

func (p *Reports) notes(ctx context.Context, where string, args ...any) ([]moderation.NoteView, error) {
	return postgres.Collect(ctx, p.pool, "read notes", func(row pgx.CollectableRow) (moderation.NoteView, error) {
		var n report.Note
		var body []byte
		var name *string
		err := row.Scan(&n.ID, &n.ReportID, &n.AuthorID, &n.Kind, &body, &n.Erased, &n.CreatedAt, &n.EditedAt, &n.DeletedAt, &name)
		n.Body = body
		return moderation.ViewNote(n, person(n.AuthorID, name)), err
	}, `SELECT `+noteColumns+`, (SELECT a.name FROM core_users a WHERE a.id = n.author_id)
		FROM core_moderation_report_notes n WHERE `+where, args...)
}
