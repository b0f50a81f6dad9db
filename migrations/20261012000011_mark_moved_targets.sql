-- Which targets may have moved since a report of them was filed. The counts of a
-- moderator with scopes go by the scope at filing, which an index on the reports
-- has, and set right the reports of these targets alone: to join every report with
-- the present scope of its target costs ten times the page (projections/tally.go).
--
-- Two triggers hold what that relies on, whoever writes: a target is reported and
-- moved here where its present scope differs from that at the filing of any of its
-- reports. The marks are never taken back.
--
-- It comes after the report tables, since it is of one of them.

-- +goose Up
ALTER TABLE core_moderation_targets
    ADD COLUMN reported boolean NOT NULL DEFAULT false, -- content that moves has a row before anybody reports it
    ADD COLUMN moved    boolean NOT NULL DEFAULT false;

-- +goose StatementBegin
CREATE FUNCTION core_moderation_mark_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.moved := true;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER mark_moved BEFORE UPDATE ON core_moderation_targets
    FOR EACH ROW WHEN ((OLD.scope_family, OLD.scope_id) IS DISTINCT FROM (NEW.scope_family, NEW.scope_id))
    EXECUTE FUNCTION core_moderation_mark_moved();

-- +goose StatementBegin
-- At the commit of a filing, when the target has its row: a move that is under way
-- then changes that row and marks it itself. It locks the row only where there is
-- something to mark, which is at the first report of content that had moved, and
-- where content moved between the capture and the filing.
CREATE FUNCTION core_moderation_mark_reported() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- +goose Down
DROP TRIGGER mark_reported ON core_moderation_reports;
DROP FUNCTION core_moderation_mark_reported();
DROP TRIGGER mark_moved ON core_moderation_targets;
DROP FUNCTION core_moderation_mark_moved();
ALTER TABLE core_moderation_targets DROP COLUMN reported, DROP COLUMN moved;
