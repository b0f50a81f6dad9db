-- +goose NO TRANSACTION
-- The log by type, and by actor and type, for auditors who filter it. Built concurrently, so that no command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_type;
CREATE INDEX CONCURRENTLY core_moderation_report_events_type
    ON core_moderation_report_events (type, occurred_at);
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_by_actor;
CREATE INDEX CONCURRENTLY core_moderation_report_events_by_actor
    ON core_moderation_report_events (actor_id, type, occurred_at) WHERE actor_id IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_by_actor;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_type;
