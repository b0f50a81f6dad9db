-- +goose NO TRANSACTION
-- The job that stores rows that are behind their events, and the rows that servers without some
-- of the columns left behind in earlier upgrades. Outside a transaction, so that no command waits;
-- every statement may run again after an interruption.

-- +goose Up
UPDATE core_moderation_reports r SET folded = 0 FROM (
    SELECT DISTINCT ON (report_id) report_id, convert_from(payload, 'UTF8')::json ->> 'action' AS action
    FROM core_moderation_report_events WHERE type = 'action' ORDER BY report_id, sequence DESC) last
WHERE last.report_id = r.id AND last.action = 'hide' AND r.standing IS NULL AND r.folded IS NULL;

UPDATE core_moderation_reports SET folded = 0
WHERE decision IS NOT NULL AND folded IS NULL AND (decision ->> 'decidedAt')::timestamptz IS DISTINCT FROM resolved_at;

DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_behind;
CREATE INDEX CONCURRENTLY core_moderation_reports_behind
    ON core_moderation_reports (id) WHERE folded <> sequence;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_behind;
