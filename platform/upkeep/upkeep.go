// Package upkeep stores when backups, checkpoints and verifications of the log were last done, so that operators see
// what is overdue. Other modules must not import it.
package upkeep

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Name is a recurring operation.
type Name string

// The operations, and the types of their details.
const (
	Backup       Name = "backup"       // BackupDetail
	Checkpoint   Name = "checkpoint"   // CheckpointDetail
	Verification Name = "verification" // VerificationDetail
)

// Names lists all operations.
var Names = []Name{Backup, Checkpoint, Verification}

// BackupDetail describes a backup.
type BackupDetail struct {
	Bytes   int64 `json:"bytes"`
	Reports int64 `json:"reports"`
}

// CheckpointDetail says how many events a checkpoint attests.
type CheckpointDetail struct {
	Events int64 `json:"events"`
}

// VerificationDetail counts what was checked and the faults.
type VerificationDetail struct {
	Events      int64 `json:"events"`
	Checkpoints int   `json:"checkpoints"`
	Findings    int64 `json:"findings"`
}

// Done is the last run of an operation.
type Done struct {
	Name   Name
	At     time.Time
	Detail json.RawMessage
}

// DB is the part of a pool or a transaction that this package needs.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Record stores that an operation was done. An older time never replaces a newer one.
func Record(ctx context.Context, db DB, name Name, at time.Time, detail any) error {
	encoded, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	return postgres.Exec(ctx, db, "record "+string(name), `INSERT INTO core_upkeep AS u (name, done_at, detail) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at, detail = excluded.detail WHERE u.done_at < excluded.done_at`, name, at, encoded)
}

// Last returns when each operation was last done. Those that never ran are missing.
func Last(ctx context.Context, db DB) (map[Name]Done, error) {
	all, err := postgres.Collect(ctx, db, "read upkeep", pgx.RowToStructByPos[Done], `SELECT name, done_at, detail FROM core_upkeep`)
	if err != nil {
		return nil, err
	}
	last := make(map[Name]Done, len(all))
	for _, d := range all {
		last[d.Name] = d
	}
	return last, nil
}
