// Package logtest makes logs for tests: by commands on a database of the test's own, or a
// long history at once.
package logtest

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// History describes what Fill makes: ten events for every three reports, which are filed,
// claimed, noted, resolved and in part reopened. Events of many reports alternate, as they
// do on a busy server.
type History struct {
	Reports    int
	Reporters  []string // accounts; each must get at most one report of a target
	Moderators []string // accounts
	Target     func(report int) report.Target
	Signer     eventstore.Signer // nil: the events are not signed
	Start      time.Time         // a report is filed every second from here
}

// lives are the events of reports, in turn.
var lives = [][]report.Type{
	{report.CreatedType},
	{report.CreatedType, report.AssignedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType},
	{report.CreatedType, report.AssignedType, report.NoteAddedType, report.ResolvedType, report.ReopenedType},
}

const (
	longest = 5
	// apart is how many reports are filed between two events of one report.
	apart = 1000
	// copied is how many reports are filed in one transaction.
	copied = 5000
)

// Fill appends a history to the log by COPY, with the same hashes and salts as commands
// make, and seals it. Servers may be running. It projects nothing: projections.Rebuilder
// makes the rows. It returns the number of events.
func Fill(ctx context.Context, pool *pgxpool.Pool, h History) (events int64, err error) {
	w := &writer{History: h, streams: make(map[int]*stream, longest*apart)}
	for now := 0; now < h.Reports+longest*apart; now += copied {
		if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return w.copy(ctx, tx, now) }); err != nil {
			return 0, fmt.Errorf("fill the log: %w", err)
		}
	}
	return w.events, nil
}

type writer struct {
	History
	streams map[int]*stream // those that have more events to come
	events  int64
}

type stream struct {
	state report.State
	hash  []byte
}

// copy appends the events of the seconds from now on.
func (w *writer) copy(ctx context.Context, tx pgx.Tx, now int) error {
	// The lock of eventstore.Sealer.
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('docket:sealer', 0))`); err != nil {
		return err
	}
	position, err := eventstore.LastPosition(ctx, tx)
	if err != nil {
		return err
	}
	var events, log [][]any
	for at := now; at < now+copied; at++ {
		for step := range longest {
			i := at - step*apart
			if i < 0 || i >= w.Reports || step >= len(lives[i%len(lives)]) {
				continue
			}
			r, err := w.next(i, step, w.Start.Add(time.Duration(at)*time.Second))
			if err != nil {
				return err
			}
			if w.Signer != nil {
				if r.Signature, err = w.Signer.Sign(r.Hash); err != nil {
					return err
				}
			}
			position++
			leaf := eventstore.LeafHash(r)
			events = append(events, []any{r.EventID, r.ReportID, r.Sequence, r.Version, r.Type, r.Payload, r.Evidence, r.EvidenceDigest,
				r.ActorID, r.OccurredAt, r.PrevHash, r.Hash, r.Signature})
			log = append(log, []any{position, r.EventID, leaf[:]})
		}
	}
	w.events += int64(len(events))
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_report_events"}, []string{"event_id", "report_id", "sequence", "version", "type",
		"payload", "evidence", "evidence_digest", "actor_id", "occurred_at", "prev_hash", "hash", "signature"}, pgx.CopyFromRows(events))
	if err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_log"}, []string{"position", "event_id", "leaf_hash"}, pgx.CopyFromRows(log))
	return err
}

// next returns the next event of report i.
func (w *writer) next(i, step int, now time.Time) (eventstore.Record, error) {
	life := lives[i%len(lives)]
	s, ok := w.streams[i]
	if !ok {
		s = &stream{state: report.State{ID: newID()}, hash: make([]byte, 32)}
		w.streams[i] = s
	}
	fact, actor := w.fact(i, life[step], s.state)
	events, after := report.Stamp(s.state, []report.Fact{fact}, &actor, now, newID)
	r, err := eventstore.NewRecord(events[0], s.hash)
	s.state, s.hash = after, r.Hash
	if step == len(life)-1 {
		delete(w.streams, i)
	}
	return r, err
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// fact returns what happens next and who does it.
func (w *writer) fact(i int, t report.Type, s report.State) (report.Fact, string) {
	moderator := w.Moderators[i%len(w.Moderators)]
	switch t {
	case report.AssignedType:
		return &report.Assigned{AssigneeID: &moderator, PreviousAssigneeID: s.AssigneeID, Claimed: true}, moderator
	case report.NoteAddedType:
		return &report.NoteAdded{NoteID: newID(), Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"Same text as the others of this account."`)}}, moderator
	case report.ResolvedType:
		explanation := "Advertising."
		return &report.Resolved{Resolution: report.Resolutions[i%len(report.Resolutions)], Explained: true,
			Words: report.ResolvedWords{Explanation: &explanation}}, moderator
	case report.ReopenedType:
		reason := "The author has replied."
		return &report.Reopened{Reasoned: true, Words: report.ReopenedWords{Reason: &reason}}, moderator
	}
	reporter := i % len(w.Reporters)
	target := w.Target(i)
	title := fmt.Sprintf("Re. What happened to number %d?", i)
	body := fmt.Sprintf("<p>Post %s of those to report, visit us at %s.</p>", target.ID, hex.EncodeToString([]byte(target.ID)))
	description := fmt.Sprintf("Advertising again, for the %dth time.", i)
	snapshot := fmt.Sprintf(`{"version":1,"capturedAt":%q,"target":{"pluginId":%q,"type":%q,"id":%q},"title":%q,"fields":[`+
		`{"name":"title","label":"Title","kind":"text","value":%q},{"name":"body","label":"Text","kind":"richText","value":%q}],`+
		`"locale":{"requested":"en","served":"en","fallback":false},"source":{"version":"1","updatedAt":null,"publishedAt":null},`+
		`"authors":[{"id":%q,"name":"Somebody"}],"scope":null,"url":"/forum/posts/%s","truncated":false}`,
		w.Start.Format(time.RFC3339), target.PluginID, target.Type, target.ID, title, title, body, w.Reporters[(i+1)%len(w.Reporters)], target.ID)
	return &report.Created{Target: target, Locale: "en", RequestedLocale: "en", Reason: report.Reasons[i%len(report.Reasons)],
		ReporterID: w.Reporters[reporter], Words: report.CreatedWords{Description: &description, ReporterName: fmt.Sprint("Reporter ", reporter),
			Title: title, Excerpt: body, Snapshot: []byte(snapshot)}}, w.Reporters[reporter]
}
