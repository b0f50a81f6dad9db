-- +goose NO TRANSACTION
-- Reports by their tags, and the content that a rule hid. Built concurrently, so that no command waits.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_tags;
CREATE INDEX CONCURRENTLY core_moderation_reports_tags ON core_moderation_reports USING gin (tags jsonb_path_ops) WHERE tags IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_hidden;
CREATE INDEX CONCURRENTLY core_moderation_reports_hidden
    ON core_moderation_reports (plugin_id, target_type, target_id) WHERE hidden_by <> '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_hidden;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_tags;
