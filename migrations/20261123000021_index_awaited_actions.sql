-- +goose NO TRANSACTION
-- The job that finds requested actions without an outcome. Built concurrently, so that no
-- command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_awaiting;
CREATE INDEX CONCURRENTLY core_moderation_reports_awaiting
    ON core_moderation_reports (id) WHERE pending_actions IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_awaiting;
