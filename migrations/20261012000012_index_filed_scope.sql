-- +goose NO TRANSACTION
-- The index of the counts by the scope at filing, and the targets that they set
-- right; outside a transaction for the reasons of 20261012000001. Every statement
-- may run again after an interruption.

-- +goose Up
UPDATE core_moderation_targets t
SET reported = true, moved = moved OR EXISTS (
    SELECT FROM core_moderation_reports r
    WHERE (r.plugin_id, r.target_type, r.target_id) = (t.plugin_id, t.target_type, t.target_id)
      AND (r.scope_family, r.scope_id) IS DISTINCT FROM (t.scope_family, t.scope_id))
WHERE NOT reported AND EXISTS (
    SELECT FROM core_moderation_reports r
    WHERE (r.plugin_id, r.target_type, r.target_id) = (t.plugin_id, t.target_type, t.target_id));

DROP INDEX CONCURRENTLY IF EXISTS core_moderation_targets_moved;
CREATE INDEX CONCURRENTLY core_moderation_targets_moved
    ON core_moderation_targets (plugin_id, target_type, target_id) WHERE reported AND moved;

-- By resource, with what the counts tell apart, so that they read nothing else. The
-- collation is that of bytes, which is the cheapest; nothing is sorted by it.
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_filed_scope;
CREATE INDEX CONCURRENTLY core_moderation_reports_filed_scope
    ON core_moderation_reports (scope_family, scope_id COLLATE "C", plugin_id, permission_module, status, assignee_id);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_filed_scope;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_targets_moved;
