-- The community's rules, in versions that never change: decisions cite them for ever.

-- +goose Up
CREATE TABLE core_policies (
    id           uuid        PRIMARY KEY, -- UUIDv7: the versions of a key are in its order
    key          text        COLLATE "C" NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    title        text        NOT NULL,
    text         text        NOT NULL, -- JSON, in the bytes that were published
    template     text,
    published_at timestamptz NOT NULL,
    retired_at   timestamptz,
    CONSTRAINT core_policies_version UNIQUE (key, version)
);
CREATE INDEX core_policies_key ON core_policies (key, id);
CREATE INDEX core_policies_published ON core_policies (published_at, id);

-- +goose StatementBegin
CREATE FUNCTION core_policies_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.key, NEW.version, NEW.title, NEW.text, NEW.published_at) = (OLD.id, OLD.key, OLD.version, OLD.title, OLD.text, OLD.published_at)
       AND NEW.template IS NOT DISTINCT FROM OLD.template AND OLD.retired_at IS NULL THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a published version of a policy never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd
CREATE TRIGGER refuse_change BEFORE UPDATE ON core_policies FOR EACH ROW EXECUTE FUNCTION core_policies_refuse_change();

-- +goose Down
DROP TABLE core_policies;
DROP FUNCTION core_policies_refuse_change();
