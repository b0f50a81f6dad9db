-- Moves of content that another role than Docket's writes, as a host application does:
-- what Docket cannot follow is a warning, not the end of the application's own write,
-- and the reconciling job mends it.

-- +goose Up
-- +goose StatementBegin
-- The id and the resource are text as the captures write them: to_jsonb would keep the
-- padding of char(n), and fail at a json column that has U+0000. A value that has not
-- the form of a resource id is none.
CREATE OR REPLACE FUNCTION core_moderation_follow_scope() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    id       text;
    resource text;
BEGIN
    EXECUTE format('SELECT ($1).%I::text, ($1).%I::text', TG_ARGV[3], TG_ARGV[4]) INTO id, resource USING NEW;
    IF id IS NULL THEN
        RETURN NULL;
    END IF;
    IF resource IS NULL OR resource !~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$' THEN
        resource := '';
    END IF;
    INSERT INTO core_moderation_targets AS t (plugin_id, target_type, target_id, scope_family, scope_id, updated_at)
    VALUES (TG_ARGV[0], TG_ARGV[1], id, TG_ARGV[2], resource, clock_timestamp())
    ON CONFLICT (plugin_id, target_type, target_id) DO UPDATE
        SET scope_family = EXCLUDED.scope_family, scope_id = EXCLUDED.scope_id, updated_at = EXCLUDED.updated_at
        WHERE (t.scope_family, t.scope_id) IS DISTINCT FROM (EXCLUDED.scope_family, EXCLUDED.scope_id);
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING 'docket does not follow the move of % %: %', TG_ARGV[1], id, SQLERRM;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- It runs with the rights of its owner, so it finds its table nowhere but here, and
-- nobody else may put it on a table.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION core_moderation_follow_scope() SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION core_moderation_follow_scope() FROM PUBLIC;

-- +goose Down
GRANT EXECUTE ON FUNCTION core_moderation_follow_scope() TO PUBLIC;
ALTER FUNCTION core_moderation_follow_scope() SECURITY INVOKER;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_follow_scope() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    content jsonb := to_jsonb(NEW);
BEGIN
    INSERT INTO core_moderation_targets AS t (plugin_id, target_type, target_id, scope_family, scope_id, updated_at)
    VALUES (TG_ARGV[0], TG_ARGV[1], content ->> TG_ARGV[3], TG_ARGV[2], coalesce(content ->> TG_ARGV[4], ''), clock_timestamp())
    ON CONFLICT (plugin_id, target_type, target_id) DO UPDATE
        SET scope_family = EXCLUDED.scope_family, scope_id = EXCLUDED.scope_id, updated_at = EXCLUDED.updated_at
        WHERE (t.scope_family, t.scope_id) IS DISTINCT FROM (EXCLUDED.scope_family, EXCLUDED.scope_id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
