package eventstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Erase removes the evidence of a report's chosen events from the log and from the report's projections, in one
// transaction under the stream's lock, and appends an event that names them. It returns how many events lost their
// evidence; 0 means that none had any left. An interrupted erasure can be run again. Messages, tasks and deliveries
// contain no evidence. If evidence to erase is under a legal hold, it erases nothing and returns held.
//
// chosen is called with the fold of the events, not with the report's row.
//
// PostgreSQL keeps overwritten rows until VACUUM, and backups keep them until they are deleted. Erase also replaces the
// samples of the rows in the planner's statistics, even if it erases nothing: an interrupted erasure may not have.
func (s *Store) Erase(ctx context.Context, reportID string, actorID *string, chosen report.Choice) (int, error) {
	erased, err := s.erase(ctx, reportID, actorID, chosen)
	if err == nil {
		err = s.sampleAnew(ctx)
	}
	return erased, err
}

// sampleAnew makes PostgreSQL sample the tables again for the planner's statistics: anybody who may read a table sees
// samples of its columns in the view pg_stats, and these may contain erased words. It waits for a VACUUM of one of the
// tables.
func (s *Store) sampleAnew(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; ANALYZE core_moderation_reports, core_moderation_cases, core_poison`)
		return err
	})
	if err != nil {
		return fmt.Errorf("sample tables without the erased words: %w", err)
	}
	return nil
}

// erase is Erase without sampleAnew.
func (s *Store) erase(ctx context.Context, reportID string, actorID *string, chosen report.Choice) (int, error) {
	erased := 0
	err := s.transact(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		var locked report.State
		var held holds
		lock := &pgx.Batch{}
		lock.Queue("BEGIN")
		s.inline.QueueLock(lock, reportID, &locked, new(*scope.Resource))
		queueHolds(lock, reportID, &held)
		if err := conn.SendBatch(ctx, lock).Close(); err != nil {
			return fmt.Errorf("lock report: %w", err)
		}
		if locked.ID == "" {
			return domain.NotFound()
		}
		before, err := foldWithout(ctx, conn, reportID, func(report.Event) bool { return false })
		if err != nil {
			return err
		}
		left, err := foldWithout(ctx, conn, reportID, func(e report.Event) bool { return chosen.Erases(before.Contents, e) })
		if err != nil {
			return err
		}
		erased = len(left.erased)
		if erased == 0 {
			return nil
		}
		if err := held.refuse(); err != nil {
			return err
		}
		added, _ := report.Stamp(left.State, report.DecideErasure(before.Contents, left.erased), actorID, held.after(s.now()), newID)
		write := &pgx.Batch{}
		write.Queue(`UPDATE core_moderation_report_events SET evidence = NULL WHERE report_id = $1 AND sequence = ANY ($2)`, reportID, left.erased)
		if err := s.queueAppend(write, added, left.head); err != nil {
			return err
		}
		for _, e := range added {
			left.Add(e)
		}
		s.inline.QueueErased(write, left.Contents)
		outbox.QueueErased(write, reportID)
		write.Queue("COMMIT")
		return heldMeanwhile(conn.SendBatch(ctx, write).Close())
	})
	if err != nil {
		return 0, fmt.Errorf("erase words of report %s: %w", reportID, err)
	}
	if erased > 0 {
		s.appended()
	}
	return erased, nil
}

// erasedReport is a report without the evidence of some events.
type erasedReport struct {
	report.Contents
	erased []int  // sequences of those events
	head   []byte // the hash of the last event
}

// foldWithout folds a report as if the evidence of each event for which erases is true were erased. Memory holds one
// event at a time.
func foldWithout(ctx context.Context, conn *pgx.Conn, reportID string, erases func(report.Event) bool) (erasedReport, error) {
	var left erasedReport
	last := 0
	err := EachRecord(ctx, conn, []string{reportID}, func(r *Record) error {
		if last++; r.Sequence != last {
			return &Fault{r.ReportID, last, "the event is missing"}
		}
		e, err := r.Event()
		if err == nil && erases(e) {
			left.erased = append(left.erased, r.Sequence)
			r.Evidence = nil
			e, err = r.Event()
		}
		if err != nil {
			return err
		}
		left.Add(e)
		left.head = r.Hash
		return nil
	})
	return left, err
}

// Erasure counts what was erased, and names the reports whose evidence was kept because of a legal hold.
type Erasure struct {
	Reports int
	Events  int
	Held    []string
}

// eraseBatch is how many reports are read in one query.
const eraseBatch = 200

// writtenBy finds reports that still have texts by an account. It reads the index core_moderation_report_events_actor
// in order.
const writtenBy = `SELECT e.report_id::text FROM core_moderation_report_events e
	WHERE e.actor_id = $1 AND e.evidence IS NOT NULL AND e.report_id > $2 GROUP BY e.report_id ORDER BY e.report_id LIMIT $3`

// authoredBy finds reports with texts about content by an account, by the primary key.
const authoredBy = `SELECT r.id::text FROM core_moderation_reports r
	WHERE r.id > $2 AND json_typeof(coalesce(r.authors, r.snapshot -> 'authors')) = 'array'
	  AND EXISTS (SELECT 1 FROM json_array_elements(coalesce(r.authors, r.snapshot -> 'authors')) a WHERE a ->> 'id' = $1::text)
	  AND EXISTS (SELECT 1 FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.evidence IS NOT NULL)
	ORDER BY r.id LIMIT $3`

// EraseWrittenBy erases what an account wrote: descriptions, notes, explanations and reasons. The account may already
// be deleted. If authored is set it also erases snapshots of content by the account, for which it reads every report.
// progress, if not nil, is called after each report.
func (s *Store) EraseWrittenBy(ctx context.Context, userID string, authored bool, actorID *string, progress func(Erasure)) (Erasure, error) {
	total, err := s.eraseEach(ctx, writtenBy, userID, report.WrittenBy(userID), actorID, progress)
	if err != nil || !authored {
		return total, err
	}
	more, err := s.eraseEach(ctx, authoredBy, userID, report.SnapshotOf(userID), actorID, progress)
	held := slices.Concat(total.Held, more.Held)
	slices.Sort(held)
	return Erasure{total.Reports + more.Reports, total.Events + more.Events, slices.Compact(held)}, err
}

// EraseResolved erases all evidence of reports that are done and were resolved longer ago than age. It uses the
// database's clock, since a server's clock that is ahead would erase too much.
func (s *Store) EraseResolved(ctx context.Context, age time.Duration, actorID *string, progress func(Erasure)) (Erasure, error) {
	before, err := postgres.CollectOne(ctx, s.pool, "read the database's clock", pgx.RowTo[time.Time], `SELECT now() - $1::interval`, age)
	if err != nil {
		return Erasure{}, err
	}
	return s.EraseResolvedBefore(ctx, before, actorID, progress)
}

// EraseResolvedBefore erases all evidence of reports that are done and were resolved before a time. It skips a report
// that is reopened meanwhile.
func (s *Store) EraseResolvedBefore(ctx context.Context, before time.Time, actorID *string, progress func(Erasure)) (Erasure, error) {
	return s.eraseEach(ctx, `SELECT r.id::text FROM core_moderation_reports r
		WHERE r.status = 'done' AND r.resolved_at < $1 AND r.id > $2
		  AND EXISTS (SELECT 1 FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.evidence IS NOT NULL)
		ORDER BY r.id LIMIT $3`,
		before, report.ResolvedBefore(before), actorID, progress)
}

// eraseEach erases report by report, and skips those under a hold. The query find takes arg, the last report's id and a
// limit, and must find only reports that still have evidence.
func (s *Store) eraseEach(ctx context.Context, find string, arg any, chosen report.Choice, actorID *string, progress func(Erasure)) (total Erasure, err error) {
	defer func() {
		if err == nil || total.Reports > 0 {
			err = errors.Join(err, s.sampleAnew(ctx))
		}
	}()
	last := firstID
	for {
		ids, err := postgres.Collect(ctx, s.pool, "find reports to erase", pgx.RowTo[string], find, arg, last, eraseBatch)
		if err != nil {
			return total, err
		}
		for _, id := range ids {
			n, err := s.erase(ctx, id, actorID, chosen)
			if domain.ErrorCode(err) == domain.CodeHeld {
				total.Held = append(total.Held, id)
				continue
			}
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
