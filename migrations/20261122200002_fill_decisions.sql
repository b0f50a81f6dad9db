-- +goose NO TRANSACTION
-- The actions that stand, and the authors of what was decided, of the reports that are
-- there. Apart from the columns themselves, which lock the table until they are added: a
-- server that runs meanwhile waits for no more than the rows that change. Both statements
-- may run again after an interruption.

-- +goose Up
UPDATE core_moderation_reports r SET standing = '["hide"]' FROM (
    SELECT DISTINCT ON (report_id) report_id, convert_from(payload, 'UTF8')::json ->> 'action' AS action
    FROM core_moderation_report_events WHERE type = 'action' ORDER BY report_id, sequence DESC) last
WHERE last.report_id = r.id AND last.action = 'hide' AND r.standing IS NULL;

INSERT INTO core_moderation_report_authors (report_id, plugin_id, author)
SELECT DISTINCT r.id, r.plugin_id, a ->> 'id' FROM core_moderation_reports r,
    json_array_elements(CASE json_typeof(r.snapshot -> 'authors') WHEN 'array' THEN r.snapshot -> 'authors' ELSE '[]' END) a
WHERE r.status = 'done' AND a ->> 'id' <> ''
ON CONFLICT DO NOTHING;

-- +goose Down
SELECT 1; -- the columns go with the migration before
