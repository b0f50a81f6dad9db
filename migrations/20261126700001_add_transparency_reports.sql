-- Transparency reports: numbers that are counted in the log, and never change once they are published.

-- +goose Up
CREATE TABLE core_transparency_reports (
    id            uuid        PRIMARY KEY,
    since         date        NOT NULL,
    until         date        NOT NULL,                -- inclusive
    state         text        NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    done          bigint      NOT NULL DEFAULT 0,      -- of total positions of the log
    total         bigint      NOT NULL DEFAULT 0,
    cells         json,                                -- as they were counted
    position      bigint      NOT NULL DEFAULT 0,
    root_hash     text        NOT NULL DEFAULT '',     -- in hexadecimal
    query_version integer     NOT NULL DEFAULT 0,
    published     json,                                -- the report as everybody reads it; null until it is published
    published_by  uuid,
    published_at  timestamptz,
    error         text,
    requested_by  uuid        NOT NULL,                -- an account, which the record outlives
    requested_at  timestamptz NOT NULL
);
CREATE INDEX core_transparency_reports_requested ON core_transparency_reports (requested_at, id);

-- +goose StatementBegin
CREATE FUNCTION core_transparency_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a published transparency report never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON core_transparency_reports
    FOR EACH ROW WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION core_transparency_refuse_change();

-- +goose Down
DROP TABLE core_transparency_reports;
DROP FUNCTION core_transparency_refuse_change();
