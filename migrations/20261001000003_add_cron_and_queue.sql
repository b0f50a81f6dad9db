-- Scheduled jobs and the task queue.

-- +goose Up
-- +goose StatementBegin
CREATE TABLE core_cron (
    id          uuid        PRIMARY KEY,
    plugin_id   text        NOT NULL,
    module      text        NOT NULL,
    name        text        NOT NULL,
    description text        NOT NULL,
    schedule    text        NOT NULL,
    last_run    timestamptz,              -- when the tick that ran it last, with success, began
    next_run    timestamptz,              -- due from then on; null: the schedule never comes up
    created_at  timestamptz NOT NULL,
    UNIQUE (plugin_id, module, name)
);
-- A null sorts above every time, and row comparisons pass over nulls.
CREATE INDEX core_cron_by_last_run ON core_cron (coalesce(last_run, 'infinity'::timestamptz), id);
CREATE INDEX core_cron_by_next_run ON core_cron (coalesce(next_run, 'infinity'::timestamptz), id);
CREATE INDEX core_cron_by_created_at ON core_cron (created_at, id);

CREATE TABLE core_queue (
    id           uuid        PRIMARY KEY,
    plugin_id    text        NOT NULL,
    name         text        NOT NULL,
    queue        text        NOT NULL,
    status       text        NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
    payload      json        NOT NULL,    -- as it was given: jsonb would refuse U+0000
    priority     smallint    NOT NULL,    -- greater goes first
    attempts     integer     NOT NULL,    -- begun, and never set back: the attempt's number is its fence
    max_attempts integer     NOT NULL,
    available_at timestamptz NOT NULL,
    locked_until timestamptz,             -- the lease of the attempt that is processing
    last_error   text,
    created_at   timestamptz NOT NULL,
    completed_at timestamptz,
    CHECK ((status = 'processing') = (locked_until IS NOT NULL)),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL))
)
-- Every task is updated twice; dead rows are to be gone long before a fifth of the table is.
WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
-- What is next; small, since completed tasks are not in it.
CREATE INDEX core_queue_next ON core_queue (queue, priority DESC, available_at, id) WHERE status = 'pending';
-- Whose lease has ended.
CREATE INDEX core_queue_leases ON core_queue (locked_until) WHERE status = 'processing';
-- The admin list with and without a status, and the trimming of completed tasks.
CREATE INDEX core_queue_by_status ON core_queue (status, created_at, id);
CREATE INDEX core_queue_by_created_at ON core_queue (created_at, id);
CREATE INDEX core_queue_by_available_at ON core_queue (available_at, id);
-- +goose StatementEnd

-- +goose Down
DROP TABLE core_queue, core_cron;
