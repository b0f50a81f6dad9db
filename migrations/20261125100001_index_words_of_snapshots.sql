-- +goose NO TRANSACTION
-- Rows without the words of their snapshots: those from before, and those that servers of the
-- release before file. The job that adds the words reads them. The mark is a lexeme that no word
-- can be, of every row that has them.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_wordless;
CREATE INDEX CONCURRENTLY core_moderation_reports_wordless
    ON core_moderation_reports (id) WHERE NOT (search @@ '''+2'''::tsquery);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_wordless;
