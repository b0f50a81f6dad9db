-- The servers that run, since they may differ in release, plugins and settings, and what else
-- lets them share jobs and tasks. A server of the release before writes none of it.

-- +goose Up
CREATE TABLE core_servers (
    id         uuid        PRIMARY KEY,
    release    text        NOT NULL,
    settings   jsonb       NOT NULL,  -- what should be the same everywhere, by name; no secrets
    handles    text[]      NOT NULL,  -- the tasks that it takes, as plugin:name
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
);
-- When a server last said that it has the job.
ALTER TABLE core_cron ADD COLUMN registered_at timestamptz NOT NULL DEFAULT now();
-- When it was logged that no server takes the task.
ALTER TABLE core_queue ADD COLUMN warned_at timestamptz;

-- +goose Down
ALTER TABLE core_queue DROP COLUMN warned_at;
ALTER TABLE core_cron DROP COLUMN registered_at;
DROP TABLE core_servers;
