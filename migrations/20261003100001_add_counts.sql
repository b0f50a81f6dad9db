-- How many reports there are of each kind that the board tells apart, as package
-- projections/counts keeps them from the log and from moves of targets.

-- +goose Up
CREATE TABLE core_moderation_counts (
    id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plugin_id         text    NOT NULL,
    permission_module text    NOT NULL,
    scope_family      text    NOT NULL, -- the scope of the target now; ' ' for none
    scope_id          text    NOT NULL,
    target_type       text    NOT NULL,
    reason            text    NOT NULL,
    status            text    NOT NULL,
    holder            uuid    NOT NULL, -- the assignee of a report that is not done, else zeros
    muted             boolean NOT NULL,
    reports           bigint  NOT NULL,
    UNIQUE (plugin_id, permission_module, scope_family, scope_id, target_type, reason, status, holder, muted)
) WITH (fillfactor = 50);

-- As what each report is counted.
CREATE TABLE core_moderation_counted (
    report_id uuid    PRIMARY KEY,
    kind      integer NOT NULL -- core_moderation_counts.id
) WITH (fillfactor = 90);

-- Targets whose reports are to be counted anew, because they have moved.
CREATE TABLE core_moderation_moves (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plugin_id   text   NOT NULL,
    target_type text   NOT NULL,
    target_id   text   NOT NULL
);

-- +goose Down
DROP TABLE core_moderation_counts, core_moderation_counted, core_moderation_moves;
DELETE FROM core_projections WHERE name = 'counts';
