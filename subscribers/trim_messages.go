package subscribers

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/eventstore/postgres"
)

// The bounds of trimming.
const (
	trimBatch = 10_000
	// TrimRetention is how long messages are stored for a group that this server does not know: a
	// former one, or one of a newer release.
	TrimRetention = 30 * 24 * time.Hour
)

// trim deletes the oldest messages that every group has read. A group that this server does
// not know may belong to a newer release, so its unread messages are kept for the retention
// period. Without any group no message counts as read.
var trim = fmt.Sprintf(`
WITH read AS (
	SELECT last_processed_transaction_id AS transaction_id, offset_acked AS "offset", consumer_group = ANY($1) AS known
	FROM %[2]s
), lowest AS (
	(SELECT transaction_id, "offset", NULL::timestamptz AS older_than FROM read ORDER BY 1, 2 LIMIT 1)
	UNION ALL
	(SELECT transaction_id, "offset", $2::timestamptz FROM read WHERE known ORDER BY 1, 2 LIMIT 1)
)
DELETE FROM %[1]s m USING (
	SELECT DISTINCT t.transaction_id, t."offset" FROM lowest l, LATERAL (
		SELECT transaction_id, "offset" FROM %[1]s x
		WHERE (x.transaction_id, x."offset") <= (l.transaction_id, l."offset")
		  AND (l.older_than IS NULL OR x.created_at < l.older_than AT TIME ZONE 'UTC')
		ORDER BY 1, 2 LIMIT $3) t
) gone
WHERE (m.transaction_id, m."offset") = (gone.transaction_id, gone."offset")`, publicEvents.messages, publicEvents.positions)

// Trim deletes messages that every group has read and returns how many. It is the
// handler of a scheduled job and may run on any server at any time.
func (r *Router) Trim(ctx context.Context) (int64, error) {
	return postgres.ExecAll(ctx, r.pool, "trim messages", trimBatch, trim, r.order, r.config.Now().Add(-TrimRetention), trimBatch)
}
