package projections

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// maxUnread bounds how many of the newest events a search for look-alikes examines.
const maxUnread = 500

// unread returns the fingerprints of the open reports with events that the projection of fingerprints has not read yet,
// of those that the coverage reaches. It misses reports if more than maxUnread events are newer than theirs. Read it
// before the rows of the projection, which may advance in between.
func (p *Reports) unread(ctx context.Context, c permission.Coverage, of string) (map[string]likeness.Fingerprint, error) {
	sql, args, err := unreadQuery(c, of)
	if err != nil {
		return nil, fmt.Errorf("find the newest reports: %w", err)
	}
	found := map[string]likeness.Fingerprint{}
	var id string
	var snapshot json.RawMessage
	err = postgres.ForEach(ctx, p.Lists, "find the newest reports", []any{&id, &snapshot}, func() error {
		found[id] = likeness.Of(snapshot)
		return nil
	}, sql, args...)
	return found, err
}

// unreadQuery reads the end of the index core_moderation_report_events_transaction, without the events of a restored
// log, whose transaction ids are those of another cluster.
func unreadQuery(c permission.Coverage, of string) (string, []any, error) {
	return psql.Select("r.id::text", "r.snapshot").
		Prefix(`WITH newest AS MATERIALIZED (SELECT event_id, report_id FROM core_moderation_report_events
			WHERE transaction_id < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY transaction_id DESC LIMIT ?),
		unread AS MATERIALIZED (SELECT DISTINCT report_id FROM newest n WHERE coalesce((SELECT l.position FROM core_moderation_log l WHERE l.event_id = n.event_id) >
			(SELECT position FROM core_projections WHERE name = 'fingerprints' AND build = 1), true))`, maxUnread).
		From("unread f").JoinClause(joinFound).
		Where("r.status <> 'done' AND r.id <> ?::uuid", of).Where(present.covered(c)).ToSql()
}
