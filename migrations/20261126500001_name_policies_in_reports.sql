-- The rule that a reporter names, and how a report came. Rows that a server of the release before
-- writes have neither, as its events. Which versions of policies can be named is a table of its own,
-- as their strikes are. The builds of the figures that exist get the new
-- column too: they are read until the new version has caught up.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN alleged_policy json, ADD COLUMN source text NOT NULL DEFAULT 'member';

CREATE TABLE core_policy_reportable (
    key     text    COLLATE "C" NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_policy_reportable
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose StatementBegin
DO $$
DECLARE build regclass;
BEGIN
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_policies(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %s ADD COLUMN reported bigint NOT NULL DEFAULT 0', build);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE build regclass;
BEGIN
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_policies(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %s DROP COLUMN reported', build);
    END LOOP;
END $$;
-- +goose StatementEnd
DROP TABLE core_policy_reportable;
ALTER TABLE core_moderation_reports DROP COLUMN alleged_policy, DROP COLUMN source;
