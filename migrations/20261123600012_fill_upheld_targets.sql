-- +goose NO TRANSACTION
-- The authors that were stored before the triggers, a thousand reports at a time, so that no
-- command waits for long. A row that a trigger has filled meanwhile stays. It may run again
-- after an interruption. Then the indexes that bound what the cases read: the upheld targets
-- of an author, the open reports of a target by age (instead of one without their age), and
-- the open and the decided reports of a reporter.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    ids  uuid[];
BEGIN
    LOOP
        ids := ARRAY(SELECT report_id FROM core_moderation_report_authors WHERE report_id > last ORDER BY report_id LIMIT 1000);
        EXIT WHEN cardinality(ids) = 0;
        UPDATE core_moderation_report_authors w SET target_type = r.target_type, target_id = r.target_id, resolution = r.resolution
        FROM core_moderation_reports r WHERE r.id = w.report_id AND w.report_id = ANY (ids) AND w.target_id IS NULL;
        last := ids[cardinality(ids)];
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd

DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_authors_upheld;
CREATE INDEX CONCURRENTLY core_moderation_report_authors_upheld
    ON core_moderation_report_authors (author, plugin_id, target_type, target_id) WHERE resolution = 'action_taken';
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_open_case;
CREATE INDEX CONCURRENTLY core_moderation_reports_open_case
    ON core_moderation_reports (plugin_id, target_type, target_id, created_at, id) WHERE status <> 'done';
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_open_target;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_reporter_status;
CREATE INDEX CONCURRENTLY core_moderation_reports_reporter_status
    ON core_moderation_reports (reporter_id, status, created_at) WHERE reporter_id IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_reporter_status;
CREATE INDEX CONCURRENTLY IF NOT EXISTS core_moderation_reports_open_target
    ON core_moderation_reports (plugin_id, target_type, target_id) WHERE status <> 'done';
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_reports_open_case;
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_authors_upheld;
