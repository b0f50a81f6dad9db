-- What was decided about which target, beside each author of decided content, so that the
-- upheld targets of an author are found without reading the author's reports. Whoever stores
-- an author need not know the columns.

-- +goose Up
ALTER TABLE core_moderation_report_authors ADD COLUMN target_type text, ADD COLUMN target_id text, ADD COLUMN resolution text;

-- +goose StatementBegin
CREATE FUNCTION core_moderation_describe_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT target_type, target_id, resolution INTO NEW.target_type, NEW.target_id, NEW.resolution
    FROM core_moderation_reports WHERE id = NEW.report_id;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER describe_author BEFORE INSERT ON core_moderation_report_authors
    FOR EACH ROW EXECUTE FUNCTION core_moderation_describe_author();

-- +goose StatementBegin
CREATE FUNCTION core_moderation_follow_resolution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE core_moderation_report_authors
    SET target_type = NEW.target_type, target_id = NEW.target_id, resolution = NEW.resolution WHERE report_id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- A decision that an appeal overturns is replaced while the report stays done.
CREATE TRIGGER follow_resolution AFTER UPDATE OF resolution ON core_moderation_reports
    FOR EACH ROW WHEN (OLD.status = 'done' AND NEW.status = 'done' AND OLD.resolution IS DISTINCT FROM NEW.resolution)
    EXECUTE FUNCTION core_moderation_follow_resolution();

-- +goose Down
DROP TRIGGER follow_resolution ON core_moderation_reports;
DROP FUNCTION core_moderation_follow_resolution();
DROP TRIGGER describe_author ON core_moderation_report_authors;
DROP FUNCTION core_moderation_describe_author();
ALTER TABLE core_moderation_report_authors DROP COLUMN target_type, DROP COLUMN target_id, DROP COLUMN resolution;
