-- The decision of a report that waits for a second person, without its words. The versions of policies that want one are a table of their own, as their strikes are, so that a server of the release before
-- reads and writes policies as it did. What that server does to a report leaves what is held as it is.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN held json;

CREATE TABLE core_policy_second_keys (
    key     text    COLLATE "C" NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_policy_second_keys
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose Down
DROP TABLE core_policy_second_keys;
ALTER TABLE core_moderation_reports DROP COLUMN held;
