package live

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// PresenceTime is how long somebody counts as viewing a report after a call of Look.
const PresenceTime = 30 * time.Second

// Look records that a user has a report open, and deletes expired rows. The caller must have
// checked that the user may view the report. It skips expired rows that others are renewing: two
// viewers who waited for each other's row would deadlock.
func (h *Hub) Look(ctx context.Context, reportID, userID, name string) error {
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO core_moderation_presence (report_id, user_id, user_name, expires_at)
		VALUES ($1, $2, $3, now() + $4::interval)
		ON CONFLICT (report_id, user_id) DO UPDATE SET user_name = excluded.user_name, expires_at = excluded.expires_at`,
		reportID, userID, name, PresenceTime)
	batch.Queue(`DELETE FROM core_moderation_presence WHERE (report_id, user_id) IN (
		SELECT report_id, user_id FROM core_moderation_presence WHERE expires_at < now() FOR UPDATE SKIP LOCKED)`)
	return postgres.Send(ctx, h.pool, "note presence", batch)
}
