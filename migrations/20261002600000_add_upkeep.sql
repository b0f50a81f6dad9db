-- When each of the things that keep the service safe was last done: backups,
-- checkpoints and verifications of the log. It outlives a restore on purpose: a restored
-- database knows the backup that it came from.

-- +goose Up
CREATE TABLE core_upkeep (
    name    text        PRIMARY KEY,
    done_at timestamptz NOT NULL,
    detail  jsonb       NOT NULL
);

-- +goose Down
DROP TABLE core_upkeep;
