-- What rules matched of reports, the tags that they gave, and the rule that hid the content.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN rules json,
    ADD COLUMN tags jsonb,
    ADD COLUMN hidden_by text NOT NULL DEFAULT '',
    ADD COLUMN ruled integer; -- up to which event a server that knows rules has written the row

-- A server of the release before folds rows without what rules did.
CREATE TRIGGER mark_ruled BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence AND NEW.ruled IS DISTINCT FROM NEW.sequence AND OLD.rules IS NOT NULL)
    EXECUTE FUNCTION core_moderation_mark_behind();

-- +goose Down
DROP TRIGGER mark_ruled ON core_moderation_reports;
ALTER TABLE core_moderation_reports DROP COLUMN ruled, DROP COLUMN hidden_by, DROP COLUMN tags, DROP COLUMN rules;
