package eventstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// eventColumns are the columns that an append writes, in the order of appendedColumns.
var eventColumns = []string{"event_id", "report_id", "sequence", "version", "type", "payload", "evidence", "evidence_digest",
	"actor_id", "occurred_at", "prev_hash", "hash", "signature"}

func appendedColumns(r *Record) []any {
	return []any{r.EventID, r.ReportID, r.Sequence, r.Version, r.Type, r.Payload, r.Evidence, r.EvidenceDigest,
		r.ActorID, r.OccurredAt, r.PrevHash, r.Hash, r.Signature}
}

// copiedColumns are the appendedColumns as COPY and arrays send them.
func copiedColumns(r *Record) []any {
	row := appendedColumns(r)
	for i, name := range eventColumns {
		if strings.HasSuffix(name, "_id") {
			row[i] = postgres.CopiedID(row[i])
		}
	}
	return row
}

// LockLog keeps other servers from sealing until the transaction ends, and returns the last
// position.
func LockLog(ctx context.Context, tx pgx.Tx) (last int64, err error) {
	if _, err := tx.Exec(ctx, waitToSeal); err != nil {
		return 0, fmt.Errorf("lock the log: %w", err)
	}
	return LastPosition(ctx, tx)
}

// Copy appends the records of new reports by COPY and seals them in the order given, after the
// last position of the log. The caller has locked the log. Copy does not project the events.
func Copy(ctx context.Context, tx pgx.Tx, last int64, records []Record) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_report_events"}, eventColumns,
		pgx.CopyFromSlice(len(records), func(i int) ([]any, error) { return copiedColumns(&records[i]), nil }))
	if err == nil {
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_log"}, []string{"position", "event_id", "leaf_hash"},
			pgx.CopyFromSlice(len(records), func(i int) ([]any, error) {
				leaf := LeafHash(records[i])
				return []any{last + int64(i) + 1, postgres.CopiedID(records[i].EventID), leaf[:]}, nil
			}))
	}
	if err != nil {
		return fmt.Errorf("copy events: %w", err)
	}
	return nil
}
