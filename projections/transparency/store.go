// Package transparency counts transparency reports from the log, each in a task, and publishes them. Other modules must
// not import it.
package transparency

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/transparency"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/platform/queue"
)

// State is the state of a report.
type State string

// The states of a report. The last two are final.
const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
)

// Kept is a stored report.
type Kept struct {
	ID          string
	Since       time.Time // the first day
	Until       time.Time // the last
	State       State
	Done, Total int64 // positions of the log
	Cells       []transparency.Cell
	Position    int64
	RootHash    string
	Query       int
	PublishedAt *time.Time
	Error       *string
	RequestedAt time.Time
	Note        *string // signed when the report was counted; nil before that
}

const columns = `id::text, since, until, state, done, total, cells, position, root_hash, query_version, published_at, error, requested_at, published->>'note'`

// List pages reports, the newest first.
var List = paging.List{
	Orderings: []paging.Ordering{{Name: "requestedAt", Expr: "requested_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

// maxUnended is how many reports can be waiting.
const maxUnended = 20

// Store stores reports. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	log    postgres.Reader // a replica, if there is one
	signer note.Signer
	known  note.Verifiers
	now    func() time.Time
}

// New returns a Store that signs the reports it counts, and publishes reports that known keys have signed.
func New(pool *pgxpool.Pool, log postgres.Reader, signer note.Signer, known note.Verifiers, now func() time.Time) *Store {
	return &Store{pool, log, signer, known, now}
}

// Request enqueues a report of the days, both inclusive. If 20 reports have not ended, it returns rate_limited.
func (s *Store) Request(ctx context.Context, since, until time.Time, userID string) (k Kept, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		waiting, err := postgres.CollectOne(ctx, tx, "count reports", pgx.RowTo[int], `SELECT count(*) FROM core_transparency_reports WHERE state IN ('queued', 'running')`)
		if err != nil {
			return err
		}
		if waiting >= maxUnended {
			return &domain.Error{Code: domain.CodeRateLimited, RetryAfter: time.Minute, Message: fmt.Sprintf("%d reports are being made already. Try again later.", waiting)}
		}
		k, err = postgres.CollectOne(ctx, tx, "store the report", pgx.RowToStructByPos[Kept],
			`INSERT INTO core_transparency_reports (id, since, until, requested_by, requested_at) VALUES ($1, $2, $3, $4, $5) RETURNING `+columns,
			uuid.Must(uuid.NewV7()), since, until, userID, s.now())
		if err != nil {
			return err
		}
		return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: taskName, Queue: queue.Long, Payload: payload{k.ID}, MaxAttempts: 2 * maxAttempts})
	})
	return k, err
}

// List returns a page of reports.
func (s *Store) List(ctx context.Context, r paging.Request) (paging.Page[Kept], error) {
	return sqlpage.List[Kept]{Task: "list transparency reports", SQL: `SELECT ` + columns + ` FROM core_transparency_reports WHERE true`,
		Scan: pgx.RowToStructByPos[Kept], Key: func(k Kept) paging.Position { return paging.At(k.RequestedAt, k.ID) }}.Read(ctx, s.pool, r)
}

// Find returns a report, or NotFound.
func (s *Store) Find(ctx context.Context, id string) (Kept, error) {
	return postgres.CollectFound(ctx, s.pool, "find the report", pgx.RowToStructByPos[Kept], `SELECT `+columns+` FROM core_transparency_reports WHERE id = $1`, id)
}

// Publish makes a report permanently public, as it was signed when it was counted. Publishing it again changes nothing.
// It returns invalid_state if the report is not done, or if its row differs from what was signed.
func (s *Store) Publish(ctx context.Context, id, userID string) (Kept, error) {
	k, err := s.Find(ctx, id)
	if err != nil || k.PublishedAt != nil {
		return k, err
	}
	if k.State != Done {
		return Kept{}, domain.Errorf(domain.CodeInvalidState, "This report is not counted yet.")
	}
	r := k.Public()
	r.Note = domain.OrEmpty(k.Note)
	if err := r.CheckNote(s.known); err != nil {
		return Kept{}, &domain.Error{Code: domain.CodeInvalidState, Cause: err,
			Message: "No known key signed these numbers when they were counted: ask for the report again."}
	}
	published, err := json.Marshal(r)
	if err != nil {
		return Kept{}, fmt.Errorf("encode a report: %w", err)
	}
	if err := postgres.Exec(ctx, s.pool, "publish the report", `UPDATE core_transparency_reports SET published = $2, published_by = $3, published_at = $4
		WHERE id = $1 AND published_at IS NULL`, id, published, userID, s.now()); err != nil {
		return Kept{}, err
	}
	return s.Find(ctx, id)
}

// Public returns the report as it is or would be published, without its note.
func (k *Kept) Public() transparency.Report {
	return transparency.Report{ID: k.ID, Since: k.Since.Format(time.DateOnly), Until: k.Until.Format(time.DateOnly), Cells: transparency.Mask(k.Cells),
		Position: k.Position, RootHash: k.RootHash, QueryVersion: k.Query}
}

// Published returns the bytes of a published report, or NotFound.
func (s *Store) Published(ctx context.Context, id string) (json.RawMessage, error) {
	return postgres.CollectFound(ctx, s.pool, "find the published report", pgx.RowTo[json.RawMessage],
		`SELECT published FROM core_transparency_reports WHERE id = $1 AND published_at IS NOT NULL`, id)
}
