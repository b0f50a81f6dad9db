-- +goose NO TRANSACTION
-- The lists of reports by deadline and of muted reporters, and the job that announces
-- what is overdue. They are built concurrently, so that no command waits; an interrupted
-- build leaves an invalid index, which is dropped before the next attempt.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_due;
CREATE INDEX CONCURRENTLY core_moderation_reports_due
    ON core_moderation_reports ((coalesce(due_at, 'infinity'::timestamptz)), id);
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_unannounced;
CREATE INDEX CONCURRENTLY core_moderation_reports_unannounced
    ON core_moderation_reports (due_at) WHERE due_at IS NOT NULL AND NOT overdue AND status <> 'done';
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_muted;
CREATE INDEX CONCURRENTLY core_moderation_reports_muted
    ON core_moderation_reports (created_at, id) WHERE muted;

-- The counts of a moderator with scopes, which leave out muted reporters, read nothing
-- but an index. It takes the place of the one without that column.
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_counted;
CREATE INDEX CONCURRENTLY core_moderation_reports_counted
    ON core_moderation_reports (scope_family, scope_id COLLATE "C", plugin_id, permission_module, status, assignee_id, muted);
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_filed_scope;

-- +goose Down
CREATE INDEX CONCURRENTLY IF NOT EXISTS core_moderation_reports_filed_scope
    ON core_moderation_reports (scope_family, scope_id COLLATE "C", plugin_id, permission_module, status, assignee_id);
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_counted;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_muted;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_unannounced;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_due;
