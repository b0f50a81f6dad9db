-- The authors of reports that a server of the release before resolves or reopens beside
-- servers of this one. It does not know their table, so the row's status keeps it.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION core_moderation_follow_authors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'done' THEN
        INSERT INTO core_moderation_report_authors (report_id, plugin_id, author)
        SELECT DISTINCT NEW.id, NEW.plugin_id, a ->> 'id'
        FROM json_array_elements(CASE json_typeof(NEW.snapshot -> 'authors') WHEN 'array' THEN NEW.snapshot -> 'authors' ELSE '[]' END) a
        WHERE a ->> 'id' <> '' ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM core_moderation_report_authors WHERE report_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER follow_authors AFTER UPDATE OF status ON core_moderation_reports
    FOR EACH ROW WHEN (OLD.status <> NEW.status AND 'done' IN (OLD.status, NEW.status))
    EXECUTE FUNCTION core_moderation_follow_authors();
-- Those that were resolved since the table was filled.
INSERT INTO core_moderation_report_authors (report_id, plugin_id, author)
SELECT DISTINCT r.id, r.plugin_id, a ->> 'id' FROM core_moderation_reports r,
    json_array_elements(CASE json_typeof(r.snapshot -> 'authors') WHEN 'array' THEN r.snapshot -> 'authors' ELSE '[]' END) a
WHERE r.status = 'done' AND r.resolved_at > now() - interval '1 day' AND a ->> 'id' <> ''
ON CONFLICT DO NOTHING;

-- +goose Down
DROP TRIGGER follow_authors ON core_moderation_reports;
DROP FUNCTION core_moderation_follow_authors();
