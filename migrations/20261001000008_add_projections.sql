-- What is projected from the sealed log, apart from commands.

-- +goose Up
-- The builds of each projection and how far they are. Readers use the live one.
CREATE TABLE core_projections (
    name         text        NOT NULL,
    build        integer     NOT NULL,              -- its rows are in core_projected_<name>_<build>
    version      integer     NOT NULL,              -- of the code that projects it
    state        text        NOT NULL CHECK (state IN ('building', 'live', 'retired')),
    position     bigint      NOT NULL DEFAULT 0,    -- of the log, projected up to here
    paused_at    timestamptz,                       -- an event could not be projected
    paused_why   text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    retired_at   timestamptz,
    heartbeat_at timestamptz NOT NULL DEFAULT now(), -- some server projects it, to the minute
    PRIMARY KEY (name, build)
);
CREATE UNIQUE INDEX core_projections_live ON core_projections (name) WHERE state = 'live';
ALTER TABLE core_projections SET (fillfactor = 50);

-- The forms of the builds' tables. Each has the dimensions by which a caller may
-- see it, with the scope at filing ('' for none), its key, and counters.
CREATE TABLE core_projected_targets (
    plugin_id         text   NOT NULL,
    permission_module text   NOT NULL,
    scope_family      text   NOT NULL,
    scope_id          text   NOT NULL,
    target_type       text   NOT NULL,
    target_id         text   NOT NULL,
    filed             bigint NOT NULL,
    open              bigint NOT NULL,
    upheld            bigint NOT NULL,
    not_upheld        bigint NOT NULL,
    duplicate         bigint NOT NULL,
    actions           bigint NOT NULL,
    PRIMARY KEY (plugin_id, target_type, target_id, permission_module, scope_family, scope_id)
);
CREATE TABLE core_projected_reporters (
    plugin_id         text   NOT NULL,
    permission_module text   NOT NULL,
    scope_family      text   NOT NULL,
    scope_id          text   NOT NULL,
    reporter_id       uuid   NOT NULL,
    filed             bigint NOT NULL,
    open              bigint NOT NULL,
    upheld            bigint NOT NULL,
    not_upheld        bigint NOT NULL,
    duplicate         bigint NOT NULL,
    PRIMARY KEY (reporter_id, plugin_id, permission_module, scope_family, scope_id)
);
CREATE TABLE core_projected_daily (
    plugin_id            text   NOT NULL,
    permission_module    text   NOT NULL,
    scope_family         text   NOT NULL,
    scope_id             text   NOT NULL,
    target_type          text   NOT NULL,
    day                  date   NOT NULL,             -- in UTC, of the event that is counted
    opened               bigint NOT NULL,
    first_actions        bigint NOT NULL,
    first_action_seconds bigint NOT NULL,             -- from filing, summed
    decided              bigint NOT NULL,             -- each decision, also a second one of a report
    upheld               bigint NOT NULL,
    not_upheld           bigint NOT NULL,
    duplicate            bigint NOT NULL,
    decided_seconds      bigint NOT NULL,             -- from filing, summed
    reopened             bigint NOT NULL,
    actions              bigint NOT NULL,
    PRIMARY KEY (day, plugin_id, target_type, permission_module, scope_family, scope_id)
);

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE
    built text;
BEGIN
    FOR built IN SELECT format('core_projected_%s_%s', name, build) FROM core_projections LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', built);
    END LOOP;
END $$;
-- +goose StatementEnd
DROP TABLE core_projected_daily, core_projected_reporters, core_projected_targets, core_projections;
