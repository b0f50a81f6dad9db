-- +goose NO TRANSACTION
-- Whether a target was acted on before, for the priority of a case, however many reports
-- it has. Built concurrently, so that no command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_upheld;
CREATE INDEX CONCURRENTLY core_moderation_reports_upheld
    ON core_moderation_reports (plugin_id, target_type, target_id) WHERE resolution = 'action_taken';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_upheld;
