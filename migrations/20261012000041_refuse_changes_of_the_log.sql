-- The order of the log is as append-only as its events.

-- +goose Up
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_moderation_log
    FOR EACH STATEMENT EXECUTE FUNCTION core_moderation_refuse_change();

-- +goose Down
DROP TRIGGER refuse_change ON core_moderation_log;
