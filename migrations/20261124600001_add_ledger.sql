-- The ledger of what administrators decide about people: staff entries, mutes, policies. Each
-- record holds the whole row as the server made it, so that verification folds the records and
-- compares them with the tables. It has no foreign keys: it outlives accounts, and names them by
-- ids alone.

-- +goose Up
CREATE TABLE core_ledger (
    position  bigint      PRIMARY KEY,  -- from 1, without gaps
    kind      text        NOT NULL,     -- of the table: staff, mute, policy; ledger: where the ledger begins
    key       text        NOT NULL,     -- of the row in its table
    version   bigint      NOT NULL,     -- of the row, from 1
    action    text        NOT NULL CHECK (action IN ('created', 'updated', 'deleted', 'adopted', 'inherited')),
    found     bytea,                    -- the row before the change, if it was not the version before; JSON, null: there was none
    payload   bytea,                    -- the row after it, JSON; null: there is none any more
    actor_id  uuid,                     -- null: an operator at the command line, or the server
    at        timestamptz NOT NULL,
    prev_hash bytea       NOT NULL,     -- of the record before; 32 zero bytes for the first
    hash      bytea       NOT NULL,
    signature bytea,                    -- Ed25519, of the hash
    CONSTRAINT core_ledger_version UNIQUE (kind, key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose StatementBegin
-- Servers of the release before seal what this trigger writes, and every live feed asks it
-- whether anybody's permissions have changed, so it also notes an entry of another account or kind.
CREATE OR REPLACE FUNCTION core_staff_keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF before IS NOT DISTINCT FROM after AND (OLD.user_id, OLD.kind) = (NEW.user_id, NEW.kind) THEN
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

-- +goose Down
DROP TABLE core_ledger;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_staff_keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
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
