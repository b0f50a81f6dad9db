-- Cases: the targets with open reports, one row each, as package projections/cases keeps
-- them from the log.

-- +goose Up
CREATE TABLE core_moderation_cases (
    id                uuid        NOT NULL GENERATED ALWAYS AS
                                  (md5(plugin_id || E'\x1f' || target_type || E'\x1f' || target_id)::uuid) STORED PRIMARY KEY,
    plugin_id         text        NOT NULL,
    target_type       text        NOT NULL,
    target_id         text        NOT NULL,
    permission_module text        NOT NULL, -- of the latest report, as title and excerpt
    title             text        NOT NULL,
    excerpt           text        NOT NULL,
    open_reports      integer     NOT NULL, -- without those of muted people
    reasons           jsonb       NOT NULL, -- how many of them have each reason: {"spam": 3}
    assignees         uuid[]      NOT NULL, -- who holds some of them
    authors           text[]      NOT NULL, -- of the content, as the first report's snapshot names them
    first_at          timestamptz NOT NULL,
    last_at           timestamptz NOT NULL,
    due_at            timestamptz,          -- the earliest deadline
    parts             jsonb       NOT NULL, -- of the priority: [{"name": "reason", "points": 40}]
    rank              bigint      NOT NULL, -- orders by priority at any moment, the highest first
    -- Somebody is taking the case until then: nobody else is given it meanwhile.
    reserved_until    timestamptz,
    UNIQUE (plugin_id, target_type, target_id)
);
-- The orders of the list.
CREATE UNIQUE INDEX core_moderation_cases_rank ON core_moderation_cases (rank, id);
CREATE INDEX core_moderation_cases_first ON core_moderation_cases (first_at, id);
CREATE INDEX core_moderation_cases_last ON core_moderation_cases (last_at, id);
CREATE INDEX core_moderation_cases_due ON core_moderation_cases ((coalesce(due_at, 'infinity'::timestamptz)), id);
-- The cases of an author, whose past weighs in each of them.
CREATE INDEX core_moderation_cases_authors ON core_moderation_cases USING gin (authors);

-- +goose Down
DROP TABLE core_moderation_cases;
DELETE FROM core_projections WHERE name = 'cases';
