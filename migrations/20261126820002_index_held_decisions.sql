-- +goose NO TRANSACTION
-- The reports with a decision that waits for a second person, and those with one that an
-- account has approved, for when it is deleted. Other reports are in neither.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_held;
CREATE INDEX CONCURRENTLY core_moderation_reports_held ON core_moderation_reports (id) WHERE held IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_released;
CREATE INDEX CONCURRENTLY core_moderation_reports_released
    ON core_moderation_reports ((decision ->> 'releasedBy')) WHERE decision ->> 'releasedBy' IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_released;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_held;
