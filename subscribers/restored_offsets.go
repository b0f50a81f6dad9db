package subscribers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/postgres"
)

// isRestored selects whether the topic has transaction ids that this cluster has not assigned yet,
// as after a restore from a dump into a new cluster.
var isRestored = fmt.Sprintf(`
SELECT EXISTS (SELECT 1 FROM %[2]s WHERE last_processed_transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
    OR EXISTS (SELECT 1 FROM %[1]s WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`,
	publicEvents.messages, publicEvents.positions)

// renumber moves every message to transaction id 0, in the present order, and every group to the
// offset of the last message that it has read. Messages written after the restore have low
// transaction ids but higher offsets than all restored ones: they come last and are unread.
var renumber = fmt.Sprintf(`
WITH boundary AS (
	SELECT greatest(
		(SELECT max("offset") FROM %[1]s WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())),
		(SELECT max(offset_acked) FROM %[2]s WHERE last_processed_transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
	) AS last_restored
), places AS (
	SELECT ctid AS at, transaction_id, "offset", "offset" <= last_restored AS restored,
		row_number() OVER (ORDER BY "offset" > last_restored, transaction_id, "offset") AS place
	FROM %[1]s, boundary
), moved_groups AS (
	UPDATE %[2]s o SET last_processed_transaction_id = '0', offset_acked = (
		SELECT coalesce(max(place), 0) FROM places
		WHERE restored AND (places.transaction_id, places."offset") <= (o.last_processed_transaction_id, o.offset_acked))
	RETURNING 1
)
UPDATE %[1]s m SET transaction_id = '0', "offset" = -places.place
FROM places WHERE m.ctid = places.at`, publicEvents.messages, publicEvents.positions)

// makePositive makes the new offsets positive. They are negative at first, so that no row
// takes the offset of one that has not moved yet.
var makePositive = `UPDATE ` + publicEvents.messages + ` SET "offset" = -"offset"`

// Restored makes the topic readable if its positions come from another cluster; otherwise it does
// nothing. Without it, groups would wait until this cluster reaches those transaction ids. Unread
// messages stay unread. Servers may call it concurrently.
func Restored(ctx context.Context, pool *pgxpool.Pool, log zerolog.Logger) error {
	var restored bool
	err := pool.QueryRow(ctx, isRestored).Scan(&restored)
	if err != nil {
		return fmt.Errorf("look for a restored topic: %w", err)
	}
	if !restored {
		return nil
	}
	for range maxRewrites {
		if err = rewriteRestored(ctx, pool, log); !postgres.Repeatable(err) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("rewrite the positions of a restored topic: %w", err)
	}
	return nil
}

// maxRewrites is how often a restored topic is rewritten because of deadlocks.
const maxRewrites = 5

// rewriteRestored rewrites a restored topic. It may deadlock with readers: PostgreSQL locks the
// tables of a reader's statement in one order when it parses it, and in the other when it executes
// it again.
func rewriteRestored(ctx context.Context, pool *pgxpool.Pool, log zerolog.Logger) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE `+publicEvents.positions+`, `+publicEvents.messages+` IN ACCESS EXCLUSIVE MODE`); err != nil {
			return err
		}
		var restored bool
		if err := tx.QueryRow(ctx, isRestored).Scan(&restored); err != nil || !restored {
			return err
		}
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, renumber); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, makePositive)
		if err == nil {
			log.Warn().Int64("messages", tag.RowsAffected()).Msg("the topic was restored from another cluster; its positions are rewritten")
		}
		return err
	})
}
