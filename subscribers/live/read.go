package live

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// readBatch bounds one read of the log.
const readBatch = 500

// nextEvents reads events after a position by the log's primary key. Status and assignee are those
// after the event, from the last event that changed them, by the stream's index. The scope is the
// target's stored present scope.
const nextEvents = `
SELECT l.position, e.report_id, e.sequence, e.version, e.type, r.plugin_id, r.permission_module, r.target_type, r.target_id,
	coalesce(t.scope_family, ''), coalesce(t.scope_id, ''),
	coalesce(moved.type, 'created'), held.assignee
FROM core_moderation_log l
JOIN core_moderation_report_events e ON e.event_id = l.event_id
JOIN core_moderation_reports r ON r.id = e.report_id
LEFT JOIN core_moderation_targets t ON (t.plugin_id, t.target_type, t.target_id) = (r.plugin_id, r.target_type, r.target_id)
LEFT JOIN LATERAL (
	SELECT m.type FROM core_moderation_report_events m
	WHERE m.report_id = e.report_id AND m.sequence <= e.sequence AND m.type IN ('created', 'assigned', 'resolved', 'reopened')
	ORDER BY m.sequence DESC LIMIT 1) moved ON true
LEFT JOIN LATERAL (
	SELECT convert_from(a.payload, 'UTF8')::json->>'assigneeId' AS assignee, a.sequence FROM core_moderation_report_events a
	WHERE a.report_id = e.report_id AND a.sequence <= e.sequence AND a.type = 'assigned'
	ORDER BY a.sequence DESC LIMIT 1) assigned ON true
LEFT JOIN LATERAL (
	SELECT assigned.assignee WHERE NOT EXISTS (
		SELECT 1 FROM core_moderation_report_events g
		WHERE g.report_id = e.report_id AND g.sequence > assigned.sequence AND g.sequence <= e.sequence
		  AND g.type = 'account_removed' AND convert_from(g.payload, 'UTF8')::json->>'userId' = assigned.assignee)) held ON true
WHERE l.position > $1 AND l.position <= $2
ORDER BY l.position LIMIT $3`

// read returns the frames after one position up to another, at most readBatch.
func (h *Hub) read(ctx context.Context, after, upTo int64) ([]*Frame, error) {
	return postgres.Collect(ctx, h.pool, "read the log", func(row pgx.CollectableRow) (*Frame, error) {
		var f Frame
		var c change
		var eventType, moved string
		if err := row.Scan(&f.position, &c.ReportID, &c.Sequence, &c.Version, &eventType, &f.about.plugin, &f.about.module, &f.about.kind, &f.about.target,
			&f.about.resource.Family, &f.about.resource.ID, &moved, &c.AssigneeID); err != nil {
			return nil, err
		}
		c.Status = status(moved, c.AssigneeID != nil)
		var err error
		f.report = c.ReportID
		f.bytes, err = write(h.cursors.encode(f.position, 0), eventType, c)
		return &f, err
	}, nextEvents, after, upTo, readBatch)
}

// placed returns copies of the frames with the present scope of their targets, which may have moved
// since the frames were read.
func (h *Hub) placed(ctx context.Context, frames []*Frame) ([]*Frame, error) {
	if len(frames) == 0 {
		return nil, nil
	}
	ids := domain.Map(frames, func(f *Frame) string { return f.report })
	now := make(map[string]scope.Resource)
	var id string
	var r scope.Resource
	err := postgres.ForEach(ctx, h.pool, "read present scopes", []any{&id, &r.Family, &r.ID}, func() error { now[id] = r; return nil },
		`SELECT r.id::text, coalesce(t.scope_family, ''), coalesce(t.scope_id, '') FROM core_moderation_reports r
		LEFT JOIN core_moderation_targets t ON (t.plugin_id, t.target_type, t.target_id) = (r.plugin_id, r.target_type, r.target_id)
		WHERE r.id = ANY ($1)`, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*Frame, 0, len(frames))
	for _, f := range frames {
		if resource, ok := now[f.report]; ok {
			moved := *f
			moved.about.resource = resource
			out = append(out, &moved)
		}
	}
	return out, nil
}

// status returns the report's status after the last event that changed it.
func status(moved string, assigned bool) string {
	switch {
	case moved == "resolved":
		return "done"
	case moved != "created" && assigned:
		return "in_progress"
	}
	return "new"
}

// present returns who has which report open now, by report.
func (h *Hub) present(ctx context.Context) (map[string]*watched, error) {
	found := make(map[string]*watched)
	var id string
	var v Viewer
	var s subject
	return found, postgres.ForEach(ctx, h.pool, "read presence", []any{&id, &v.ID, &v.Name, &s.plugin, &s.module, &s.kind, &s.target, &s.resource.Family, &s.resource.ID}, func() error {
		if found[id] == nil {
			found[id] = &watched{about: s}
		}
		found[id].viewers = append(found[id].viewers, v)
		return nil
	}, `
		SELECT p.report_id, p.user_id, p.user_name, r.plugin_id, r.permission_module, r.target_type, r.target_id, coalesce(t.scope_family, ''), coalesce(t.scope_id, '')
		FROM core_moderation_presence p
		JOIN core_moderation_reports r ON r.id = p.report_id
		LEFT JOIN core_moderation_targets t ON (t.plugin_id, t.target_type, t.target_id) = (r.plugin_id, r.target_type, r.target_id)
		WHERE p.expires_at > now()
		ORDER BY p.report_id, p.user_name, p.user_id`)
}

// watched is a report that somebody has open, with its viewers.
type watched struct {
	about   subject
	viewers []Viewer
}
