-- Deadlines in the daily figures, and the figures of policies. The daily builds that exist
-- get the columns too: they are read until the new version has caught up.

-- +goose Up
CREATE TABLE core_projected_policies (
    plugin_id          text   NOT NULL,
    permission_module  text   NOT NULL,
    scope_family       text   NOT NULL,
    scope_id           text   NOT NULL,
    target_type        text   NOT NULL,
    day                date   NOT NULL,   -- in UTC, of the event that is counted
    policy             text   NOT NULL,   -- its key
    decided            bigint NOT NULL,   -- each decision that cites it, also a second one of a report
    decided_seconds    bigint NOT NULL,   -- from filing, summed
    appeals            bigint NOT NULL,   -- of such decisions
    appeals_upheld     bigint NOT NULL,
    appeals_overturned bigint NOT NULL,
    appeals_seconds    bigint NOT NULL,   -- from the appeal, summed
    PRIMARY KEY (day, plugin_id, target_type, policy, permission_module, scope_family, scope_id)
);
-- +goose StatementBegin
DO $$
DECLARE build regclass;
BEGIN
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_daily(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %s ADD COLUMN deadlines_kept bigint NOT NULL DEFAULT 0, ADD COLUMN deadlines_missed bigint NOT NULL DEFAULT 0', build);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE build regclass;
BEGIN
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_daily(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %s DROP COLUMN deadlines_kept, DROP COLUMN deadlines_missed', build);
    END LOOP;
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_policies(_[0-9]+)?$'
    LOOP
        EXECUTE format('DROP TABLE %s', build);
    END LOOP;
END $$;
-- +goose StatementEnd
DELETE FROM core_projections WHERE name = 'policies';
