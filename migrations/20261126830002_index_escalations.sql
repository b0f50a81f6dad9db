-- +goose NO TRANSACTION
-- The escalated reports, of a case too, and those that are escalated to an account. Built concurrently, so that no
-- command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_escalated;
CREATE INDEX CONCURRENTLY core_moderation_reports_escalated
    ON core_moderation_reports (plugin_id, target_type, target_id) WHERE escalation IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_escalated_to;
CREATE INDEX CONCURRENTLY core_moderation_reports_escalated_to
    ON core_moderation_reports (escalated_to) WHERE escalated_to IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_escalated_to;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_escalated;
