-- Cases that moderators have passed on or parked.

-- +goose Up
-- A mark is a hash of a moderator's own key and a case: it says neither who nor which.
CREATE TABLE core_moderation_passes (
    mark  bytea       PRIMARY KEY,
    until timestamptz NOT NULL -- on the hour
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE TABLE core_moderation_pass_counts (
    day    date    NOT NULL,
    reason text    NOT NULL,
    passes bigint  NOT NULL,
    PRIMARY KEY (day, reason)
);
CREATE TABLE core_moderation_parked (
    case_id   uuid        PRIMARY KEY, -- as core_moderation_cases makes it
    until     timestamptz NOT NULL,
    parked_by uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    parked_at timestamptz NOT NULL -- a case whose first report is later is another one
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- +goose Down
DROP TABLE core_moderation_parked;
DROP TABLE core_moderation_pass_counts;
DROP TABLE core_moderation_passes;
