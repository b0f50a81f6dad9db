-- +goose NO TRANSACTION
-- The authors of content whose snapshot was erased, so that what was decided about it keeps its
-- weight. The column is null while the snapshot, which names them, is there. A release before
-- leaves it null, and erases the authors with the snapshot.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN IF NOT EXISTS authors json;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_follow_authors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    named json := coalesce(NEW.authors, NEW.snapshot -> 'authors');
BEGIN
    IF NEW.status = 'done' THEN
        INSERT INTO core_moderation_report_authors (report_id, plugin_id, author)
        SELECT DISTINCT NEW.id, NEW.plugin_id, a ->> 'id'
        FROM json_array_elements(CASE json_typeof(named) WHEN 'array' THEN named ELSE '[]' END) a
        WHERE a ->> 'id' <> '' ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM core_moderation_report_authors WHERE report_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Cases that weigh authors which an earlier release erased are stored again, by the next server
-- that follows the log.
DELETE FROM core_projections WHERE name = 'cases' AND EXISTS (SELECT FROM core_moderation_reports WHERE erased);

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_follow_authors() RETURNS trigger LANGUAGE plpgsql AS $$
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
ALTER TABLE core_moderation_reports DROP COLUMN IF EXISTS authors;
