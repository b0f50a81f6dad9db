-- Appeals in the daily figures. The builds that exist get the columns too: they are read until
-- the new version has caught up.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE build regclass;
BEGIN
    FOR build IN SELECT c.oid::regclass FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '^core_projected_daily(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %s ADD COLUMN appeals bigint NOT NULL DEFAULT 0, ADD COLUMN appeals_upheld bigint NOT NULL DEFAULT 0,
            ADD COLUMN appeals_overturned bigint NOT NULL DEFAULT 0, ADD COLUMN appeals_seconds bigint NOT NULL DEFAULT 0', build);
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
        EXECUTE format('ALTER TABLE %s DROP COLUMN appeals, DROP COLUMN appeals_upheld, DROP COLUMN appeals_overturned, DROP COLUMN appeals_seconds', build);
    END LOOP;
END $$;
-- +goose StatementEnd
