-- Second opinions: how much is decided again by somebody who does not know the decision, the checkpoints
-- that draw it, what was drawn and became of it, and who is deciding now.

-- +goose Up
CREATE TABLE core_quality (
    version  integer     PRIMARY KEY CHECK (version > 0),
    percent  integer     NOT NULL CHECK (percent BETWEEN 0 AND 100),
    golden   integer     NOT NULL CHECK (golden BETWEEN 0 AND 5),
    in_force timestamptz NOT NULL -- since when
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_quality
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- Recorded in the order of their sizes, from the first setting on.
CREATE TABLE core_checkpoints (
    size     bigint      PRIMARY KEY, -- of the log
    note     text        NOT NULL,    -- the signed checkpoint
    drawn_at timestamptz              -- null: its decisions are still to be drawn
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX core_checkpoints_undrawn ON core_checkpoints (size) WHERE drawn_at IS NULL;

-- The fold of the log: the decisions that were drawn.
CREATE TABLE core_seconds (
    id                uuid        PRIMARY KEY,
    decision_id       uuid        NOT NULL UNIQUE, -- the decision's event
    report_id         uuid        NOT NULL,
    drawn_by          bigint      NOT NULL,        -- the size of the checkpoint
    decided_at        timestamptz NOT NULL,
    decided_by        uuid,
    resolution        text        NOT NULL,
    policy            jsonb,
    status            text        NOT NULL CHECK (status IN ('drawn', 'agreed', 'disputed', 'settled')),
    second_at         timestamptz,
    second_by         uuid,
    second_resolution text,
    second_policy     jsonb,
    settled_at        timestamptz,
    settled_by        uuid,
    settled_sequence  integer,                     -- of the event that holds the reason
    stands            boolean
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX core_seconds_decided ON core_seconds (decided_at, id);
CREATE INDEX core_seconds_status ON core_seconds (status, decided_at, id);
CREATE INDEX core_seconds_report ON core_seconds (report_id);

-- The fold of the log: what people answered whose answer was known.
CREATE TABLE core_golden_answers (
    id          uuid        PRIMARY KEY,
    decision_id uuid        NOT NULL,
    answered_by uuid,
    answered_at timestamptz NOT NULL,
    agreed      boolean     NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- Who was given what to decide again, so that nobody gets it twice.
CREATE TABLE core_second_turns (
    second_id   uuid        NOT NULL,
    user_id     uuid        NOT NULL REFERENCES core_users ON DELETE CASCADE,
    decision_id uuid        NOT NULL,
    golden      boolean     NOT NULL,
    report_id   uuid        NOT NULL,
    plugin_id   text        NOT NULL, -- what the person sees nothing else of during the turn
    target_type text        NOT NULL,
    target_id   text        NOT NULL,
    until       timestamptz NOT NULL,
    ended       boolean     NOT NULL DEFAULT false, -- answered, left, or taken up by somebody else
    PRIMARY KEY (second_id, user_id)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE UNIQUE INDEX core_second_turns_user ON core_second_turns (user_id) WHERE NOT ended;
CREATE UNIQUE INDEX core_second_turns_second ON core_second_turns (second_id) WHERE NOT ended;

-- +goose Down
DROP TABLE core_second_turns, core_golden_answers, core_seconds, core_checkpoints, core_quality;
DELETE FROM core_projections WHERE name = 'seconds';
