package history

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// Log appends a history to the log, sealed in its order, without projections. It returns the number of events, even
// with an error. Servers may be running.
func Log(ctx context.Context, pool *pgxpool.Pool, h History) (events int64, err error) {
	if err := eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {}).SealAll(ctx); err != nil {
		return 0, err
	}
	generator := newGenerator(h)
	for n := range h.parts() {
		records, err := generator.part(n)
		if err != nil {
			return events, err
		}
		if err := appendPart(ctx, pool, records); err != nil {
			return events, fmt.Errorf("fill the log: %w", err)
		}
		events += int64(len(records))
		if h.Progress != nil {
			h.Progress(events, h.events())
		}
	}
	return events, vacuum(ctx, pool, "core_moderation_report_events, core_moderation_log")
}

// appendPart appends and seals a part in a transaction of its own: a long writing transaction delays the delivery of
// messages in all databases of the PostgreSQL cluster.
func appendPart(ctx context.Context, pool *pgxpool.Pool, records []eventstore.Record) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// The lock prevents servers from sealing meanwhile.
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = off;
			SELECT pg_advisory_xact_lock(hashtextextended('docket:sealer', 0))`); err != nil {
			return err
		}
		last, err := eventstore.LastPosition(ctx, tx)
		if err != nil {
			return err
		}
		return copyEvents(ctx, tx, last, records)
	})
}

// copyEvents appends and seals events after a position.
func copyEvents(ctx context.Context, tx pgx.Tx, last int64, records []eventstore.Record) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_report_events"},
		[]string{"event_id", "report_id", "sequence", "version", "type", "payload", "evidence", "evidence_digest", "actor_id", "occurred_at", "prev_hash", "hash", "signature"},
		pgx.CopyFromSlice(len(records), func(i int) ([]any, error) {
			r := &records[i]
			return []any{r.EventID, r.ReportID, r.Sequence, r.Version, r.Type, r.Payload, r.Evidence, r.EvidenceDigest, r.ActorID, r.OccurredAt, r.PrevHash, r.Hash, r.Signature}, nil
		}))
	if err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"core_moderation_log"}, []string{"position", "event_id", "leaf_hash"},
		pgx.CopyFromSlice(len(records), func(i int) ([]any, error) {
			leaf := eventstore.LeafHash(records[i])
			return []any{last + int64(i) + 1, records[i].EventID, leaf[:]}, nil
		}))
	return err
}

// Project builds every projection from the log, as docket projections rebuild does.
func Project(ctx context.Context, pool *pgxpool.Pool, progress func(what string, done, total int64)) error {
	step := func(what string) func(done, total int64) {
		return func(done, total int64) { progress(what, done, total) }
	}
	if _, err := (projections.Inline{}).Rebuild(ctx, pool, projector.Options{Progress: step("reports")}); err != nil {
		return err
	}
	if err := vacuum(ctx, pool, "core_moderation_reports, core_moderation_targets, core_moderation_report_notes, core_moderation_report_authors"); err != nil {
		return err
	}
	progress("statistics", 0, 1)
	if err := projector.New(pool, zerolog.Nop(), prometheus.NewRegistry(), statistics.Projections...).CatchUp(ctx); err != nil {
		return err
	}
	progress("statistics", 1, 1)
	if _, err := counts.Projection.Rebuild(ctx, pool, projector.Options{Progress: step("counts")}); err != nil {
		return err
	}
	if _, err := cases.Projection.Rebuild(ctx, pool, projector.Options{Progress: step("cases")}); err != nil {
		return err
	}
	_, err := fingerprints.Projection.Rebuild(ctx, pool, projector.Options{Progress: step("fingerprints")})
	return err
}

// vacuum does what autovacuum would do within some minutes, on its own connection without a time limit.
func vacuum(ctx context.Context, pool *pgxpool.Pool, tables string) error {
	conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("vacuum: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, sql := range []string{`SET statement_timeout = 0`, `VACUUM ANALYZE ` + tables} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("vacuum: %w", err)
		}
	}
	return nil
}

// Accounts creates n accounts that cannot sign in, named name and a number. It returns their ids.
func Accounts(ctx context.Context, pool *pgxpool.Pool, name string, n int, at time.Time) ([]string, error) {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7()).String()
	}
	_, err := pool.Exec(ctx, `INSERT INTO core_users (id, name, created_at) SELECT id, $2 || ' ' || n - 1, $3
		FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id, n)`, ids, name, at)
	if err != nil {
		return nil, fmt.Errorf("make accounts: %w", err)
	}
	return ids, nil
}
