// Package upkeep remembers when backups, checkpoints and verifications of the log were
// last done, so that operators see what is overdue. It is not for import.
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

// Name is a thing that is done again and again.
type Name string

// The names, and what their details hold.
const (
	Backup       Name = "backup"       // BackupDetail
	Checkpoint   Name = "checkpoint"   // CheckpointDetail
	Verification Name = "verification" // VerificationDetail
)

// Names lists them all.
var Names = []Name{Backup, Checkpoint, Verification}

// BackupDetail says what a backup holds.
type BackupDetail struct {
	Bytes   int64 `json:"bytes"`
	Reports int64 `json:"reports"`
}

// CheckpointDetail says how many events a checkpoint attests.
type CheckpointDetail struct {
	Events int64 `json:"events"`
}

// VerificationDetail says what was checked and how many faults were found.
type VerificationDetail struct {
	Events      int64 `json:"events"`
	Checkpoints int   `json:"checkpoints"`
	Findings    int64 `json:"findings"`
}

// Done is the last time that something was done.
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

// Record remembers that name was done. An older time never replaces a newer one.
func Record(ctx context.Context, db DB, name Name, at time.Time, detail any) error {
	encoded, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	return postgres.Exec(ctx, db, "record "+string(name), `INSERT INTO core_upkeep AS u (name, done_at, detail) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at, detail = excluded.detail WHERE u.done_at < excluded.done_at`, name, at, encoded)
}

// Last reads when each thing was last done. What never was done is missing.
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
