package eventstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Update implements moderation.Log for one report and its note.
func (s *Store) Update(ctx context.Context, ref moderation.Ref, actorID *string, decide moderation.Decide) (report.State, error) {
	after, err := s.update(ctx, []moderation.Ref{ref}, actorID, func(ctx context.Context, tx pgx.Tx, loaded []moderation.Loaded) ([]moderation.Change, error) {
		change, err := decide(ctx, tx, loaded[0])
		return []moderation.Change{change}, err
	})
	if err != nil {
		return report.State{}, err
	}
	return after[0], nil
}

// UpdateAll implements moderation.Log. It locks streams by id, so that two calls cannot deadlock.
func (s *Store) UpdateAll(ctx context.Context, reportIDs []string, actorID *string, decide moderation.DecideAll) ([]report.State, error) {
	refs := make([]moderation.Ref, len(reportIDs))
	for i, id := range slices.Sorted(slices.Values(reportIDs)) {
		refs[i].ReportID = id
	}
	return s.update(ctx, refs, actorID, decide)
}

// stream is a report that an update has locked.
type stream struct {
	moderation.Loaded
	head    []byte // the hash of its last event
	present *scope.Resource
}

// update takes two round trips: begin, lock and read; then append, project,
// publish and commit. The stream locks come before anything that assigns a
// transaction id.
func (s *Store) update(ctx context.Context, refs []moderation.Ref, actorID *string, decide moderation.DecideAll) ([]report.State, error) {
	var after []report.State
	var first []report.Event // of the first stream that changes
	effects := false
	err := s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		first, effects = nil, false
		streams, err := s.lock(ctx, conn, refs)
		if err != nil {
			return err
		}
		loaded := make([]moderation.Loaded, len(streams))
		for i := range streams {
			loaded[i] = streams[i].Loaded
		}
		changes, err := decide(ctx, postgres.Borrow(conn, nil), loaded)
		if err != nil {
			return err
		}
		if conn.PgConn().TxStatus() != 'T' {
			// An action ended the transaction, or ignored a failed statement.
			return domain.Errorf(domain.CodeActionFailed, "The action failed; nothing was recorded.")
		}
		after = make([]report.State, len(streams))
		write := &pgx.Batch{}
		for i, stream := range streams {
			after[i] = stream.State
			if len(changes[i].Facts) == 0 {
				continue
			}
			report.Place(changes[i].Facts, stream.State.Target, stream.present)
			var events []report.Event
			events, after[i] = report.Stamp(stream.State, changes[i].Facts, actorID, s.now(), newID)
			if err := s.queueWrite(write, stream.State.Target.PluginID, events, after[i], stream.head, changes[i]); err != nil {
				return err
			}
			effects = effects || len(changes[i].Effects) > 0
			if first == nil {
				first = events
			}
		}
		if write.Len() == 0 {
			return nil
		}
		write.Queue("COMMIT")
		return conn.SendBatch(ctx, write).Close()
	})
	err = noteLimited(s.resolve(ctx, first, err))
	if openKeyTaken(err) {
		return nil, alreadyReported(s.openReport(ctx, after))
	}
	if err == nil {
		s.appended()
		if effects {
			s.tasks.EffectsCommitted()
		}
	}
	return after, err
}

// lock begins a transaction and reads the streams under their locks. It returns
// NotFound when one of them does not exist.
func (s *Store) lock(ctx context.Context, conn *pgx.Conn, refs []moderation.Ref) ([]stream, error) {
	streams := make([]stream, len(refs))
	b := &pgx.Batch{}
	b.Queue("BEGIN")
	for i, ref := range refs {
		s.inline.QueueLock(b, ref.ReportID, &streams[i].State, &streams[i].present)
		queueHead(b, ref.ReportID, &streams[i].head)
		if ref.NoteID != "" {
			s.inline.QueueNote(b, ref.ReportID, ref.NoteID, &streams[i].Note)
		}
	}
	if err := conn.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("lock reports: %w", err)
	}
	for i := range streams {
		if streams[i].State.ID == "" {
			return nil, domain.NotFound()
		}
		streams[i].Now = s.now()
	}
	return streams, nil
}

// queueWrite adds the writes of a command to the batch.
func (s *Store) queueWrite(b *pgx.Batch, pluginID string, events []report.Event, after report.State, head []byte, change moderation.Change) error {
	queueNoteLimits(b, events)
	if err := s.queueAppend(b, events, head); err != nil {
		return err
	}
	s.inline.QueueSave(b, after, events)
	if len(change.Effects) > 0 {
		if err := s.tasks.QueueEffects(b, change.PluginID, change.Effects); err != nil {
			return err
		}
	}
	messages, err := messages(pluginID, events, change)
	if err != nil {
		return err
	}
	return outbox.Queue(b, messages...)
}

// messages returns the public events of a change, the target's last.
func messages(pluginID string, events []report.Event, change moderation.Change) ([]outbox.Message, error) {
	var out []outbox.Message
	m := outbox.Message{PluginID: pluginID}
	for _, e := range events {
		name, payload := report.PublishedAs(e)
		if name == "" {
			continue
		}
		m.Name, m.ReportID, m.Sequence, m.ActorID, m.OccurredAt = name, e.ReportID, int64(e.Sequence), domain.OrEmpty(e.ActorID), e.OccurredAt
		var err error
		if m.ID, err = uuid.Parse(e.ID); err != nil {
			return nil, fmt.Errorf("message of event %q: %w", e.ID, err)
		}
		if m.Payload, err = json.Marshal(payload); err != nil {
			return nil, fmt.Errorf("encode %s: %w", name, err)
		}
		out = append(out, m)
	}
	m.ReportID, m.Sequence = "", 0
	for _, e := range change.Events {
		var err error
		if m.Payload, err = json.Marshal(e.Payload); err != nil {
			return nil, fmt.Errorf("encode %s: %w", e.Name, err)
		}
		m.ID, m.Name = uuid.Must(uuid.NewV7()), e.Name
		out = append(out, m)
	}
	return out, nil
}
