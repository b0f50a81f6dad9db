-- Back-tests that were asked for: what an expression would have matched in the log.

-- +goose Up
CREATE TABLE core_backtests (
    id           uuid        PRIMARY KEY,
    expression   text        NOT NULL,
    since        timestamptz,                       -- of the filings, from here
    until        timestamptz,                       -- and before
    state        text        NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    done         bigint      NOT NULL DEFAULT 0,    -- of total positions of the log
    total        bigint      NOT NULL DEFAULT 0,
    result       json,                              -- as it was written, since the same back-test has the same bytes
    error        text,                              -- of the last attempt
    attempts     integer     NOT NULL DEFAULT 0,
    requested_by uuid        NOT NULL,              -- an account, which the record outlives
    requested_at timestamptz NOT NULL,
    started_at   timestamptz,
    finished_at  timestamptz
);
CREATE INDEX core_backtests_unfinished ON core_backtests (requested_at) WHERE state IN ('queued', 'running');
CREATE INDEX core_backtests_requested ON core_backtests (requested_at);

-- +goose Down
DROP TABLE core_backtests;
