package eventstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Erase takes the words of a report's chosen events away, from the log and from
// the report's row and notes, in one transaction under the stream's lock. That
// it did so is an event too. It returns how many events lost their words: none
// when they had none left, so that an erasure which was stopped can be run
// again. Messages, tasks and deliveries hold no words (spec section 6).
//
// PostgreSQL keeps what was overwritten until VACUUM, and backups until they
// are thrown away.
func (s *Store) Erase(ctx context.Context, reportID string, actorID *string, chosen report.Choice) (int, error) {
	erased := 0
	err := s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		var locked report.State
		lock := &pgx.Batch{}
		lock.Queue("BEGIN")
		s.inline.QueueLock(lock, reportID, &locked)
		if err := conn.SendBatch(ctx, lock).Close(); err != nil {
			return fmt.Errorf("lock report: %w", err)
		}
		if locked.ID == "" {
			return domain.NotFound()
		}
		records, err := LoadRecords(ctx, conn, reportID)
		if err != nil {
			return err
		}
		events, err := decodeAll(records)
		if err != nil {
			return err
		}
		facts := report.DecideErase(locked, events, chosen)
		if len(facts) == 0 {
			erased = 0
			return nil
		}
		sequences := facts[0].(*report.EvidenceErased).Sequences
		for _, n := range sequences {
			records[n-1].Evidence = nil
		}
		if events, err = decodeAll(records); err != nil {
			return err
		}
		added, after := report.Stamp(report.Fold(events), facts, actorID, s.now(), newID)
		write := &pgx.Batch{}
		write.Queue(`UPDATE core_moderation_report_events SET evidence = NULL WHERE report_id = $1 AND sequence = ANY ($2)`, reportID, sequences)
		if err := queueAppend(write, added, records[len(records)-1].Hash); err != nil {
			return err
		}
		s.inline.QueueRewrite(write, after, report.FoldNotes(events))
		write.Queue("COMMIT")
		erased = len(sequences)
		return conn.SendBatch(ctx, write).Close()
	})
	if err != nil {
		return 0, fmt.Errorf("erase words of report %s: %w", reportID, err)
	}
	if erased > 0 {
		s.appended()
	}
	return erased, nil
}

// decodeAll decodes a report's records, which must be all there.
func decodeAll(records []Record) ([]report.Event, error) {
	events := make([]report.Event, len(records))
	for i := range records {
		if records[i].Sequence != i+1 {
			return nil, &Fault{records[i].ReportID, i + 1, "the event is missing"}
		}
		var err error
		if events[i], err = records[i].Event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// An Erasure counts what was erased.
type Erasure struct {
	Reports int
	Events  int
}

// eraseBatch is how many reports are looked up at once.
const eraseBatch = 200

// writtenBy finds reports in which an account wrote words that are still there,
// by the index core_moderation_report_events_actor and in its order.
const writtenBy = `SELECT e.report_id::text FROM core_moderation_report_events e
	WHERE e.actor_id = $1 AND e.evidence IS NOT NULL AND e.report_id > $2 GROUP BY e.report_id ORDER BY e.report_id LIMIT $3`

// EraseWrittenBy takes away what an account wrote: the reports that it filed,
// its notes, explanations and reasons, also after the account is deleted.
// authored includes the snapshots of content that it wrote, for which every
// report is read. progress, if any, hears of each report.
func (s *Store) EraseWrittenBy(ctx context.Context, userID string, authored bool, actorID *string, progress func(Erasure)) (Erasure, error) {
	total, err := s.eraseEach(ctx, writtenBy, userID, report.WrittenBy(userID), actorID, progress)
	if err != nil || !authored {
		return total, err
	}
	more, err := s.eraseEach(ctx, `SELECT id::text FROM core_moderation_reports
		WHERE id > $2 AND json_typeof(snapshot -> 'authors') = 'array'
		  AND EXISTS (SELECT 1 FROM json_array_elements(snapshot -> 'authors') a WHERE a ->> 'id' = $1::text)
		ORDER BY id LIMIT $3`,
		userID, report.SnapshotOf(userID), actorID, progress)
	return Erasure{total.Reports + more.Reports, total.Events + more.Events}, err
}

// EraseResolvedBefore takes all words of reports away that are done and were
// resolved before a moment. One that is reopened meanwhile keeps them.
func (s *Store) EraseResolvedBefore(ctx context.Context, before time.Time, actorID *string, progress func(Erasure)) (Erasure, error) {
	return s.eraseEach(ctx, `SELECT r.id::text FROM core_moderation_reports r
		WHERE r.status = 'done' AND r.resolved_at < $1 AND r.id > $2
		  AND EXISTS (SELECT 1 FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.evidence IS NOT NULL)
		ORDER BY r.id LIMIT $3`,
		before, report.ResolvedBefore(before), actorID, progress)
}

// eraseEach erases report by report. find takes an argument, the last report's
// id and a limit, and finds only reports that still have words.
func (s *Store) eraseEach(ctx context.Context, find string, arg any, chosen report.Choice, actorID *string, progress func(Erasure)) (Erasure, error) {
	var total Erasure
	last := "00000000-0000-0000-0000-000000000000"
	for {
		rows, err := s.pool.Query(ctx, find, arg, last, eraseBatch)
		if err != nil {
			return total, fmt.Errorf("find reports to erase: %w", err)
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return total, fmt.Errorf("find reports to erase: %w", err)
		}
		for _, id := range ids {
			n, err := s.Erase(ctx, id, actorID, chosen)
			if err != nil {
				return total, err
			}
			if n == 0 {
				continue
			}
			total.Reports++
			total.Events += n
			if progress != nil {
				progress(total)
			}
		}
		if len(ids) < eraseBatch {
			return total, nil
		}
		last = ids[len(ids)-1]
	}
}
