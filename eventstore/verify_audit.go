package eventstore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
)

// A Finding is something in the log that is not as it was appended.
type Finding struct {
	ReportID string // "" when no report is known to be concerned
	Sequence int    // the first event of the report that is wrong
	Position int64  // in the log; 0 when the finding is not about the log
	Problem  string
}

func (f Finding) String() string {
	switch {
	case f.ReportID == "" && f.Position == 0:
		return f.Problem
	case f.ReportID == "":
		return fmt.Sprintf("position %d: %s", f.Position, f.Problem)
	case f.Position == 0:
		return fmt.Sprintf("report %s, sequence %d: %s", f.ReportID, f.Sequence, f.Problem)
	}
	return fmt.Sprintf("report %s, sequence %d, position %d: %s", f.ReportID, f.Sequence, f.Position, f.Problem)
}

// Auditor checks the whole log while commands go on: each report's chain,
// digests and erasures, its row's count of events, its place in the sealed log,
// the log's density, the Merkle tree, and what kept checkpoints attest.
type Auditor struct {
	Pool        *pgxpool.Pool
	Sealer      *Sealer      // seals what waits, so that no event escapes for being new
	Checkpoints []Checkpoint // by size, see SortCheckpoints
	Workers     int
	// Found hears of each finding, one at a time: for a report, of its first.
	Found func(Finding)
	// Progress, if any, hears how much of the work is done. It is called from
	// several goroutines.
	Progress func(done, total int64)
}

// Audited says what was checked.
type Audited struct {
	Reports     int64
	Positions   int64
	Checkpoints int
	Findings    int64
}

// The bounds of an audit.
const (
	auditBatch = 100  // reports in one snapshot
	logBatch   = 5000 // positions a query
)

// Verify checks everything. Its error is that it could not check; what is wrong
// is a finding.
func (a *Auditor) Verify(ctx context.Context) (Audited, error) {
	run := &auditRun{Auditor: a}
	if err := a.Sealer.SealAll(ctx); err != nil {
		return Audited{}, err
	}
	if err := a.Pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM core_moderation_reports) + (SELECT count(*) FROM core_moderation_log)`).Scan(&run.total); err != nil {
		return Audited{}, fmt.Errorf("size the log: %w", err)
	}
	if err := run.reports(ctx); err != nil {
		return run.audited, err
	}
	if err := run.log(ctx); err != nil {
		return run.audited, err
	}
	return run.audited, run.settle(ctx)
}

type auditRun struct {
	*Auditor
	total int64

	mu       sync.Mutex
	done     int64
	audited  Audited
	unsealed []Finding // events without a position, which may have been sealed since
	ids      []string  // of those events
}

func (r *auditRun) found(f Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.audited.Findings++
	if r.Found != nil {
		r.Found(f)
	}
}

func (r *auditRun) progress(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += int64(n)
	if r.Progress != nil {
		r.Progress(r.done, max(r.total, r.done))
	}
}

// reports checks every report that has a row or an event.
func (r *auditRun) reports(ctx context.Context) error {
	return Walk{Pool: r.Pool, Batch: auditBatch, Workers: r.Workers}.Each(ctx, func(ids []string) func(context.Context) error {
		return func(ctx context.Context) error { return r.batch(ctx, ids) }
	})
}

// place is an event's in the sealed log.
type place struct {
	position *int64
	leaf     []byte
}

// batch checks some reports, all read in one snapshot.
func (r *auditRun) batch(ctx context.Context, ids []string) error {
	err := pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		streams, err := LoadStreams(ctx, tx, ids)
		if err != nil {
			return err
		}
		places := map[string]place{}
		var id string
		var p place
		rows, err := tx.Query(ctx, `SELECT e.event_id::text, l.position, l.leaf_hash FROM core_moderation_report_events e
			LEFT JOIN core_moderation_log l USING (event_id) WHERE e.report_id = ANY ($1::uuid[])`, ids)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(rows, []any{&id, &p.position, &p.leaf}, func() error {
			places[id] = p
			return nil
		}); err != nil {
			return err
		}
		counts := map[string]int{}
		var count int
		rows, err = tx.Query(ctx, `SELECT id::text, sequence FROM core_moderation_reports WHERE id = ANY ($1::uuid[])`, ids)
		if err != nil {
			return err
		}
		if _, err := pgx.ForEachRow(rows, []any{&id, &count}, func() error {
			counts[id] = count
			return nil
		}); err != nil {
			return err
		}
		for _, id := range ids {
			r.report(id, streams[id], places, counts)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("check reports from %s: %w", ids[0], err)
	}
	r.mu.Lock()
	r.audited.Reports += int64(len(ids))
	r.mu.Unlock()
	r.progress(len(ids))
	return nil
}

// report checks one report and tells of the first thing that is wrong.
func (r *auditRun) report(id string, records []Record, places map[string]place, counts map[string]int) {
	f := chainFault(id, records)
	if f == nil {
		f = undeclaredErasure(records)
	}
	if f != nil {
		r.found(Finding{ReportID: id, Sequence: f.Sequence, Problem: f.Problem})
		return
	}
	var last int64
	for i := range records {
		p := places[records[i].EventID]
		f := Finding{ReportID: id, Sequence: records[i].Sequence}
		if p.position == nil {
			r.wait(Finding{ReportID: id, Sequence: records[i].Sequence, Problem: "it is not in the sealed log"}, records[i].EventID)
			break // those behind it wait too
		}
		f.Position = *p.position
		leaf := LeafHash(records[i])
		switch {
		case !bytes.Equal(p.leaf, leaf[:]):
			f.Problem = "it is not the event that was sealed there"
		case *p.position <= last:
			f.Problem = "it was sealed before the event that it follows"
		}
		if f.Problem != "" {
			r.found(f)
			return
		}
		last = *p.position
	}
	count, row := counts[id]
	switch {
	case !row:
		r.found(Finding{ReportID: id, Sequence: len(records), Problem: "the report has events and no row"})
	case count > len(records):
		r.found(Finding{ReportID: id, Sequence: len(records) + 1, Problem: "the event is missing: the report's row counts more"})
	case count < len(records):
		r.found(Finding{ReportID: id, Sequence: count + 1, Problem: "the report's row does not know of the event"})
	}
}

// wait keeps an event without a position until the sealer had its turn.
func (r *auditRun) wait(f Finding, eventID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unsealed, r.ids = append(r.unsealed, f), append(r.ids, eventID)
}

// undeclaredErasure finds evidence that is gone although no erasure says so.
func undeclaredErasure(records []Record) *Fault {
	declared := map[int]bool{}
	for i := range records {
		if records[i].Type != string(report.EvidenceErasedType) {
			continue
		}
		var erased report.EvidenceErased
		if err := json.Unmarshal(records[i].Payload, &erased); err != nil {
			return &Fault{records[i].ReportID, records[i].Sequence, "its payload cannot be read"}
		}
		for _, n := range erased.Sequences {
			declared[n] = true
		}
	}
	for i := range records {
		r := &records[i]
		if r.EvidenceDigest != nil && r.Evidence == nil && !declared[r.Sequence] {
			return &Fault{r.ReportID, r.Sequence, "its words are gone and no erasure says so"}
		}
	}
	return nil
}
