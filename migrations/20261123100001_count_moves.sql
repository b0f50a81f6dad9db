-- Counts follow the moves of targets, so that nothing has to compare the scope at filing
-- with the present one: a filing no longer checks at its commit whether its target has
-- moved. The columns stay for the server of the release before.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_mark_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_moderation_moves (plugin_id, target_type, target_id) VALUES (NEW.plugin_id, NEW.target_type, NEW.target_id);
    NEW.moved := true;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP TRIGGER mark_reported ON core_moderation_reports;
DROP FUNCTION core_moderation_mark_reported();

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_mark_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.moved := true;
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION core_moderation_mark_reported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE core_moderation_targets t
    SET reported = true, moved = moved OR (t.scope_family, t.scope_id) IS DISTINCT FROM (NEW.scope_family, NEW.scope_id)
    WHERE t.plugin_id = NEW.plugin_id AND t.target_type = NEW.target_type AND t.target_id = NEW.target_id
      AND (NOT reported OR NOT moved AND (t.scope_family, t.scope_id) IS DISTINCT FROM (NEW.scope_family, NEW.scope_id));
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER mark_reported AFTER INSERT ON core_moderation_reports
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION core_moderation_mark_reported();
UPDATE core_moderation_targets t SET reported = true, moved = moved OR EXISTS (
    SELECT FROM core_moderation_reports r
    WHERE (r.plugin_id, r.target_type, r.target_id) = (t.plugin_id, t.target_type, t.target_id)
      AND (r.scope_family, r.scope_id) IS DISTINCT FROM (t.scope_family, t.scope_id));
