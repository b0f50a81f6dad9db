-- How the stored present scope of a target follows its content
-- (core_moderation_targets; package platform/targetscope).

-- +goose Up
-- +goose StatementBegin
-- The function of triggers on content tables. Its arguments: plugin, target
-- type, scope family, key column, scope column. It makes the row where there is
-- none, since a report of the target may be on its way with the scope from
-- before. It locks that row alone and last, and no command on a report locks
-- one, so that a move waits for `hide` and `hide` for a move, never both.
CREATE FUNCTION core_moderation_follow_scope() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- How far the reconciling job has walked; one row.
CREATE TABLE core_moderation_scope_walk (
    id          boolean PRIMARY KEY DEFAULT true CHECK (id),
    plugin_id   text NOT NULL DEFAULT '',
    target_type text NOT NULL DEFAULT '',
    target_id   text NOT NULL DEFAULT ''
);
INSERT INTO core_moderation_scope_walk DEFAULT VALUES;

-- +goose Down
DROP TABLE core_moderation_scope_walk;
DROP FUNCTION core_moderation_follow_scope() CASCADE; -- with its triggers on content tables
