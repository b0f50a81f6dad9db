-- +goose NO TRANSACTION
-- The pinned notes of a case, and those of an account. Built concurrently, so that no command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_pinned;
CREATE INDEX CONCURRENTLY core_moderation_reports_pinned
    ON core_moderation_reports (plugin_id, target_type, target_id) WHERE pins IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_pinned;
