-- Who may administer and moderate what, and every change of it.

-- +goose Up
CREATE TABLE core_staff_entries (
    id           uuid        PRIMARY KEY,
    kind         text        NOT NULL CHECK (kind IN ('admin', 'moderator')),
    user_id      uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    unrestricted boolean     NOT NULL DEFAULT false, -- of an admin entry: root
    permissions  jsonb       NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(permissions) = 'array'),
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,               -- strictly later with each change
    -- In this order, so that a request finds both entries of its user by one index.
    CONSTRAINT core_staff_entries_user UNIQUE (user_id, kind)
);
CREATE INDEX core_staff_entries_list ON core_staff_entries (kind, created_at, id);
CREATE INDEX core_staff_entries_roots ON core_staff_entries (id) WHERE kind = 'admin' AND unrestricted;
-- Who holds a permission: permissions @> '[{"plugin": …, "module": …, "permission": …}]'.
CREATE INDEX core_staff_entries_permissions ON core_staff_entries USING gin (permissions jsonb_path_ops) WHERE kind = 'moderator';
CREATE INDEX core_staff_entries_unrestricted ON core_staff_entries (kind) WHERE unrestricted;

-- Append-only, and without foreign keys: it outlives the entry, its user and the actor.
CREATE TABLE core_staff_history (
    position  bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id  uuid        NOT NULL,
    kind      text        NOT NULL,
    user_id   uuid        NOT NULL,
    actor_id  uuid,                -- null: an operator at the command line
    action    text        NOT NULL CHECK (action IN ('created', 'updated', 'deleted')),
    before    jsonb,               -- {unrestricted, permissions}; null: there was no entry
    after     jsonb,               -- null: there is none any more
    at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX core_staff_history_entry ON core_staff_history (entry_id, position);

-- +goose StatementBegin
-- A trigger and not the store keeps the history, so that nothing changes an
-- entry without it: no cascade from an account, and no hand in the database.
-- The transaction names its actor in the setting docket.actor_id.
CREATE FUNCTION core_staff_keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    actor  uuid := nullif(current_setting('docket.actor_id', true), '')::uuid;
    before jsonb;
    after  jsonb;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        before := jsonb_build_object('unrestricted', OLD.unrestricted, 'permissions', OLD.permissions);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        after := jsonb_build_object('unrestricted', NEW.unrestricted, 'permissions', NEW.permissions);
    END IF;
    IF before IS NOT DISTINCT FROM after THEN
        RETURN NULL;
    END IF;
    INSERT INTO core_staff_history (entry_id, kind, user_id, actor_id, action, before, after)
    SELECT e.id, e.kind, e.user_id, actor,
           CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END,
           before, after
    FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) e;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION core_staff_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd

CREATE TRIGGER keep_history AFTER INSERT OR UPDATE OR DELETE ON core_staff_entries
    FOR EACH ROW EXECUTE FUNCTION core_staff_keep_history();
-- Without it a TRUNCATE would pass the history by.
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON core_staff_entries
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_staff_history
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose Down
DROP TABLE core_staff_history, core_staff_entries;
DROP FUNCTION core_staff_keep_history();
DROP FUNCTION core_staff_refuse_change();
