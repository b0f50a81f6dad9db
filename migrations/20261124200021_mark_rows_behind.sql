-- Up to which event a server that knows every column has folded a report's row. Servers of the
-- release before do not write it and leave columns as they were, so where it is not the row's
-- sequence, the row is behind its events, and readers fold those instead. It is null for rows
-- from before the column, which the migrations before have filled, and for what is filed without
-- it: a filing by a server that does not know a column has nothing for it. A release that adds a
-- column to the row adds a marker of its own.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN folded integer;

-- +goose StatementBegin
CREATE FUNCTION core_moderation_mark_behind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.folded := 0;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER mark_behind BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.folded IS NULL AND NEW.sequence <> OLD.sequence)
    EXECUTE FUNCTION core_moderation_mark_behind();

-- +goose Down
DROP TRIGGER mark_behind ON core_moderation_reports;
DROP FUNCTION core_moderation_mark_behind();
ALTER TABLE core_moderation_reports DROP COLUMN folded;
