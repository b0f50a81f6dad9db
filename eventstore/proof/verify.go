package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Finding is a fault of the log, of the ledger and its tables, or of what protects them.
type Finding struct {
	ReportID string // "" if no report is known to be concerned
	Sequence int    // of the report's event; 0 if there is no report
	Position int64  // in the log; 0 if it is not known
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

// Auditor verifies the whole log while commands run. For each report it verifies the chain and the digests, the
// signatures, the order of times and versions, that evidence is missing only where a later event records its erasure,
// the number of events, and their positions. For the sealed log it verifies that positions have no gap, the Merkle
// tree, and the stored checkpoints. It verifies the ledger, compares it with its tables, and finds evidence that was
// erased while a legal hold of the ledger protected it. Each worker holds one event in memory at a time.
type Auditor struct {
	Pool        *pgxpool.Pool
	Sealer      *eventstore.Sealer // seals what has no position yet, so that new events are verified too
	Checkpoints []Checkpoint       // by size, see SortCheckpoints
	Keys        []string           // public keys that events may be signed with
	SignedFrom  int64              // accept unsigned events before this position
	Tables      []*ledger.Table    // that the ledger proves
	// Guards, if not nil, returns the faults of the triggers that protect the log.
	Guards  func(context.Context) ([]string, error)
	Workers int
	// Found is called with each finding, one at a time: for a report only with the first, and with each erasure that
	// violated a legal hold.
	Found func(Finding)
	// Erased, if not nil, is called with each erasure, one at a time.
	Erased func(Erasure)
	// Noted, if not nil, is called with notes for auditors that are not findings, such as a row that an operator has
	// adopted.
	Noted func(string)
	// Progress, if not nil, is called with the amount of work done, one call at a time.
	Progress func(done, total int64)
}

// Audited counts what was verified.
type Audited struct {
	Reports     int64
	Positions   int64
	Checkpoints int
	Findings    int64
	Erasures    int64
	Records     int64 // of the ledger
	Adoptions   int64 // of rows that no server had signed
	Inherited   int64 // rows that existed when the ledger began, and that no server had signed
	SignedFrom  int64 // events from this position on must be signed; 0 if none is
}

// ErrNoKey means that events are signed but no public key is known.
var ErrNoKey = errors.New("events are signed, and no public key is known to verify them with")

// The sizes of an audit's batches.
const (
	auditBatch = 400  // reports, read in one snapshot
	logBatch   = 5000 // positions
)

// Verify verifies everything. It passes findings to Found, and returns an error only if it could
// not verify.
func (a *Auditor) Verify(ctx context.Context) (Audited, error) {
	run := &auditRun{Auditor: a, begun: time.Now(), unsealed: map[string]Finding{}}
	if err := a.Sealer.SealAll(ctx); err != nil {
		return Audited{}, err
	}
	if err := run.prepare(ctx); err != nil {
		return Audited{}, err
	}
	if err := run.reports(ctx); err != nil {
		return run.audited, err
	}
	if err := run.log(ctx); err != nil {
		return run.audited, err
	}
	if err := run.administration(ctx); err != nil {
		return run.audited, err
	}
	if err := run.surroundings(ctx); err != nil {
		return run.audited, err
	}
	return run.audited, run.settle(ctx)
}

type auditRun struct {
	*Auditor
	total      int64 // of progress
	end        int64 // the last position when the audit began
	signers    signers
	signedFrom int64
	taken      []time.Time // by checkpoint, the latest time so far
	begun      time.Time
	holds      []*heldPeriod

	mu       sync.Mutex
	done     int64
	audited  Audited
	placed   int64              // events with a position up to end
	unsealed map[string]Finding // by id, the events without a position, which may have been sealed since
}

// prepare reads what the verification of each event needs.
func (r *auditRun) prepare(ctx context.Context) (err error) {
	if err := r.Pool.QueryRow(ctx, `SELECT count(*) FROM core_moderation_reports`).Scan(&r.total); err != nil {
		return fmt.Errorf("count reports: %w", err)
	}
	if r.end, err = eventstore.LastPosition(ctx, r.Pool); err != nil {
		return err
	}
	r.total += r.end
	if r.signers.keys, err = parseKeys(r.Keys); err != nil {
		return err
	}
	first, err := firstSigned(ctx, r.Pool)
	switch {
	case err != nil:
		return err
	case first > 0 && len(r.Keys) == 0:
		return ErrNoKey
	case len(r.Keys) > 0:
		// Even if no event is signed: somebody may have removed the signatures.
		r.signedFrom = max(r.SignedFrom, 1)
	}
	var latest time.Time
	for _, c := range r.Checkpoints {
		if c.Taken.After(latest) {
			latest = c.Taken
		}
		r.taken = append(r.taken, latest)
	}
	r.audited.SignedFrom = r.signedFrom
	return r.readHolds(ctx)
}

// firstSigned returns the position of the first signed event, 0 if there is none. It reads
// the log from its start up to there.
func firstSigned(ctx context.Context, db postgres.Querier) (int64, error) {
	position, err := postgres.CollectOne(ctx, db, "find the first signed event", pgx.RowTo[int64],
		`SELECT l.position FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE e.signature IS NOT NULL ORDER BY l.position LIMIT 1`)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return position, err
}

// attestedBefore returns the time of the last checkpoint before the position; nil stands for the end of the log.
func (r *auditRun) attestedBefore(position *int64) time.Time {
	n := len(r.Checkpoints)
	if position != nil {
		n, _ = slices.BinarySearchFunc(r.Checkpoints, *position, func(c Checkpoint, p int64) int { return cmp.Compare(c.N, p) })
	}
	if n == 0 {
		return time.Time{}
	}
	return r.taken[n-1]
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

// wait defers a finding about an event without a position until the sealer has run.
func (r *auditRun) wait(f Finding, eventID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unsealed[eventID] = f
}
