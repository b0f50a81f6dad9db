-- +goose NO TRANSACTION
-- Nothing counts reports by their rows any more where this index helped. It was the widest
-- of the table, and every claim and decision wrote it.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_counted;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_targets_moved;

-- +goose Down
CREATE INDEX CONCURRENTLY IF NOT EXISTS core_moderation_targets_moved
    ON core_moderation_targets (plugin_id, target_type, target_id) WHERE reported AND moved;
CREATE INDEX CONCURRENTLY IF NOT EXISTS core_moderation_reports_counted
    ON core_moderation_reports (scope_family, scope_id COLLATE "C", plugin_id, permission_module, status, assignee_id, muted);
