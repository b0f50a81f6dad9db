-- Who had a projection verified or rebuilt over the admin API, how far that is and
-- what it found.

-- +goose Up
CREATE TABLE core_projection_runs (
    id           uuid        PRIMARY KEY,
    name         text        NOT NULL,              -- of a projection
    work         text        NOT NULL CHECK (work IN ('verify', 'rebuild')),
    requested_by uuid        NOT NULL,              -- an account, which the record outlives
    requested_at timestamptz NOT NULL,
    started_at   timestamptz,
    finished_at  timestamptz,
    done         bigint      NOT NULL DEFAULT 0,    -- of total: reports, or positions of the log
    total        bigint      NOT NULL DEFAULT 0,
    wrong        bigint      NOT NULL DEFAULT 0,    -- rows that were not what the log makes of them
    findings     text[]      NOT NULL DEFAULT '{}', -- the first of them, by their ids
    error        text                               -- of the last attempt
);
-- One at a time of each work.
CREATE UNIQUE INDEX core_projection_runs_open ON core_projection_runs (name, work) WHERE finished_at IS NULL;
CREATE INDEX core_projection_runs_latest ON core_projection_runs (name, work, requested_at);

-- +goose Down
DROP TABLE core_projection_runs;
