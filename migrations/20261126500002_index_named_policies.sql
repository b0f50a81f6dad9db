-- +goose NO TRANSACTION
-- The reports that name a rule, for the board of one rule. Others are not in it.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_alleged;
CREATE INDEX CONCURRENTLY core_moderation_reports_alleged
    ON core_moderation_reports ((alleged_policy ->> 'key'), created_at, id) WHERE alleged_policy IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_alleged;
