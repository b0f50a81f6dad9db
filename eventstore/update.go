package eventstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/outbox"
)

// Update implements moderation.Log in two round trips: begin, lock and read;
// then append, project, publish and commit. The stream lock comes before
// anything that assigns a transaction id.
func (s *Store) Update(ctx context.Context, ref moderation.Ref, actorID *string, decide moderation.Decide) (report.State, error) {
	var after report.State
	effects := false
	err := s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		var before report.State
		var note *report.Note
		var head []byte
		lock := &pgx.Batch{}
		lock.Queue("BEGIN")
		s.inline.QueueLock(lock, ref.ReportID, &before)
		queueHead(lock, ref.ReportID, &head)
		if ref.NoteID != "" {
			s.inline.QueueNote(lock, ref.ReportID, ref.NoteID, &note)
		}
		if err := conn.SendBatch(ctx, lock).Close(); err != nil {
			return fmt.Errorf("lock report: %w", err)
		}
		if before.ID == "" {
			return domain.NotFound()
		}
		change, err := decide(ctx, guardedTx{conn}, moderation.Loaded{State: before, Note: note, Now: s.now()})
		if err != nil {
			return err
		}
		if conn.PgConn().TxStatus() != 'T' {
			// The run of an action ended the transaction, or hid that it failed.
			return domain.Errorf(domain.CodeActionFailed, "The action failed; nothing was recorded.")
		}
		if len(change.Facts) == 0 {
			after = before
			return nil
		}
		var events []report.Event
		events, after = report.Stamp(before, change.Facts, actorID, s.now(), newID)
		write := &pgx.Batch{}
		if err := s.queueWrite(write, before.Target.PluginID, events, after, head, change); err != nil {
			return err
		}
		effects = len(change.Effects) > 0
		write.Queue("COMMIT")
		return conn.SendBatch(ctx, write).Close()
	})
	if openKeyTaken(err) {
		return after, alreadyReported(s.openReport(ctx, after))
	}
	if err == nil {
		s.appended()
		if effects {
			s.tasks.EffectsCommitted()
		}
	}
	return after, err
}

// queueWrite adds all that a decided command stores.
func (s *Store) queueWrite(b *pgx.Batch, pluginID string, events []report.Event, after report.State, head []byte, change moderation.Change) error {
	if err := queueAppend(b, events, head); err != nil {
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

// messages are the public events of a change, the target's own last.
func messages(pluginID string, events []report.Event, change moderation.Change) ([]outbox.Message, error) {
	var out []outbox.Message
	m := outbox.Message{PluginID: pluginID}
	for _, e := range events {
		name, payload := report.Public(e)
		if name == "" {
			continue
		}
		m.Name, m.ReportID, m.Sequence, m.OccurredAt = name, e.ReportID, int64(e.Sequence), e.OccurredAt
		if e.ActorID != nil {
			m.ActorID = *e.ActorID
		}
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

// openReport finds the report that holds the open key which after wants.
func (s *Store) openReport(ctx context.Context, after report.State) string {
	if after.ReporterID == nil {
		return ""
	}
	f, err := s.filed(ctx, &report.Created{Target: after.Target, ReporterID: *after.ReporterID}, s.now())
	if err != nil {
		return ""
	}
	return f.OpenReportID
}

func (s *Store) filed(ctx context.Context, c *report.Created, since time.Time) (f Filings, err error) {
	b := &pgx.Batch{}
	s.inline.QueueFilings(b, c, since, &f)
	return f, s.pool.SendBatch(ctx, b).Close()
}
