-- +goose NO TRANSACTION
-- Rows without the words of their snapshots, their authors or their locale among what is searched.
-- The job that adds them reads this index.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_wordless;
CREATE INDEX CONCURRENTLY core_moderation_reports_wordless
    ON core_moderation_reports (id) WHERE NOT (search @@ '''+3'''::tsquery);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_wordless;
CREATE INDEX CONCURRENTLY core_moderation_reports_wordless
    ON core_moderation_reports (id) WHERE NOT (search @@ '''+2'''::tsquery);
