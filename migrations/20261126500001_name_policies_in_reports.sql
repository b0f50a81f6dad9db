-- The rule that a reporter names, and how a report came. Rows that a server of the release before
-- writes have neither, as its events. Which versions of policies can be named is a table of its own,
-- as their strikes are.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN alleged_policy json, ADD COLUMN source text NOT NULL DEFAULT 'member';

CREATE TABLE core_policy_reportable (
    key     text    COLLATE "C" NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_policy_reportable
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose Down
DROP TABLE core_policy_reportable;
ALTER TABLE core_moderation_reports DROP COLUMN alleged_policy, DROP COLUMN source;
