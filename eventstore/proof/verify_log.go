package proof

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// log reads the sealed log once. It verifies that positions have no gap, that each has an event, and that the Merkle
// tree matches the stored checkpoints.
func (r *auditRun) log(ctx context.Context) error {
	kept := slices.Clone(r.Checkpoints)
	var f frontier
	for {
		page, err := postgres.Collect(ctx, r.Pool, "read the log", pgx.RowToStructByPos[logRow],
			`SELECT position, leaf_hash FROM core_moderation_log WHERE position > $1 ORDER BY position LIMIT $2`, f.size, logBatch)
		if err != nil {
			return err
		}
		for _, row := range page {
			if row.Position != f.size+1 {
				r.found(Finding{Position: f.size + 1, Problem: "the position is missing from the log"})
				return r.missing(ctx) // all positions after it have moved
			}
			leaf, err := leafOf(row.Leaf)
			if err != nil {
				r.found(Finding{Position: row.Position, Problem: err.Error()})
				return r.missing(ctx)
			}
			f.add(leaf)
			for len(kept) > 0 && kept[0].N == f.size {
				r.attest(kept[0], f.root() == kept[0].Hash)
				kept = kept[1:]
			}
		}
		r.progress(len(page))
		if len(page) < logBatch {
			break
		}
	}
	r.audited.Positions = f.size
	for _, c := range kept {
		r.found(Finding{Position: f.size + 1, Problem: fmt.Sprintf(
			"the log ends here, and the checkpoint of %s attests %d events", c.Taken.Format(time.RFC3339), c.N)})
	}
	return r.missing(ctx)
}

// missing reports the positions whose event is missing. It does not search if the reports had an event for each
// position.
func (r *auditRun) missing(ctx context.Context) error {
	if r.placed == r.end {
		return nil
	}
	var position int64
	var id string
	return postgres.ForEach(ctx, r.Pool, "look for missing events", []any{&position, &id}, func() error {
		r.found(Finding{Position: position, Problem: "the event " + id + " that was sealed there is missing"})
		return nil
	}, `SELECT l.position, l.event_id::text FROM core_moderation_log l
		WHERE NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.event_id = l.event_id) ORDER BY l.position`)
}

type logRow struct {
	Position int64
	Leaf     []byte
}

func (r *auditRun) attest(c Checkpoint, holds bool) {
	if holds {
		r.audited.Checkpoints++
		return
	}
	r.found(Finding{Position: c.N, Problem: fmt.Sprintf(
		"the log up to here is not what the checkpoint of %s attests: it was rewritten", c.Taken.Format(time.RFC3339))})
}

// How long settle waits for a sealer on another server.
const (
	settleTries = 40
	settleEvery = 250 * time.Millisecond
)

// settle reports the events that the sealer skipped. It seals those that the sealer has not reached yet, and after
// settleTries reports those that still have no position.
func (r *auditRun) settle(ctx context.Context) error {
	for try := 1; len(r.unsealed) > 0; try++ {
		passed, waiting, err := r.notSealed(ctx)
		if err != nil {
			return err
		}
		if try == settleTries {
			passed, waiting = append(passed, waiting...), nil
		}
		for _, id := range passed {
			r.found(r.unsealed[id])
		}
		if len(waiting) == 0 {
			return nil
		}
		if err := r.Sealer.SealAll(ctx); err != nil {
			return err
		}
		maps.DeleteFunc(r.unsealed, func(id string, _ Finding) bool { return !slices.Contains(waiting, id) })
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settleEvery):
		}
	}
	return nil
}

// notSealed returns the events without a position: those that the sealer skipped, and those that it has not reached
// yet.
func (r *auditRun) notSealed(ctx context.Context) (passed, waiting []string, err error) {
	var id string
	var gone bool
	err = postgres.ForEach(ctx, r.Pool, "look for what was sealed", []any{&id, &gone}, func() error {
		if gone {
			passed = append(passed, id)
		} else {
			waiting = append(waiting, id)
		}
		return nil
	}, `SELECT e.event_id::text, e.transaction_id < (SELECT lower_bound FROM core_moderation_sealer)
		FROM core_moderation_report_events e
		WHERE e.event_id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM core_moderation_log l WHERE l.event_id = e.event_id)
		ORDER BY e.report_id, e.sequence`, slices.Collect(maps.Keys(r.unsealed)))
	return passed, waiting, err
}

// clockGrace allows for the duration of a command and for a server whose clock is behind that of the server that took
// the checkpoint.
const clockGrace = 5 * time.Minute

// place checks the event's position in the sealed log.
func (s *stream) place(r *eventstore.Record, position *int64, leaf []byte) (problem string) {
	if position == nil {
		if !s.waiting {
			s.run.wait(Finding{ReportID: r.ReportID, Sequence: r.Sequence, Problem: "it is not in the sealed log"}, r.EventID)
		}
		s.waiting = true
	} else {
		want := eventstore.LeafHash(*r)
		switch {
		case !bytes.Equal(leaf, want[:]):
			return "it is not the event that was sealed there"
		case *position <= s.position || s.waiting:
			return "it was sealed before the event that it follows"
		}
		s.position = *position
	}
	if attested := s.run.attestedBefore(position); r.OccurredAt.Before(attested.Add(-clockGrace)) {
		return fmt.Sprintf("its time is before the checkpoint of %s, which does not hold it", attested.Format(time.RFC3339))
	}
	return ""
}
