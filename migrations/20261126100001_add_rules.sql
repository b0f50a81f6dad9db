-- Rules in versions that never change: what is to happen to reports that match a condition.

-- +goose Up
CREATE TABLE core_rules (
    id           uuid        PRIMARY KEY, -- UUIDv7: the versions of a key are in its order
    key          text        COLLATE "C" NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    title        text        NOT NULL,
    expression   text        NOT NULL, -- in CEL
    effect       text        NOT NULL, -- JSON, in the bytes that were published
    mode         text        NOT NULL CHECK (mode IN ('draft', 'shadow', 'live')),
    mode_at      timestamptz NOT NULL, -- since when
    published_at timestamptz NOT NULL,
    retired_at   timestamptz,
    CONSTRAINT core_rules_version UNIQUE (key, version)
);
CREATE INDEX core_rules_published ON core_rules (published_at, id);

-- +goose StatementBegin
CREATE FUNCTION core_rules_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.key, NEW.version, NEW.title, NEW.expression, NEW.effect, NEW.published_at)
       = (OLD.id, OLD.key, OLD.version, OLD.title, OLD.expression, OLD.effect, OLD.published_at) AND OLD.retired_at IS NULL THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a published version of a rule never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd
CREATE TRIGGER refuse_change BEFORE UPDATE ON core_rules FOR EACH ROW EXECUTE FUNCTION core_rules_refuse_change();

-- +goose Down
DROP TABLE core_rules;
DROP FUNCTION core_rules_refuse_change();
