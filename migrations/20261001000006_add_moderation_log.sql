-- The sealed log, and the read models beside the two report tables.

-- +goose Up
CREATE TABLE core_moderation_log (
    position  bigint PRIMARY KEY,
    event_id  uuid NOT NULL UNIQUE,
    leaf_hash bytea NOT NULL
);

-- Where the sealer's next scan begins; one row.
CREATE TABLE core_moderation_sealer (
    id          boolean PRIMARY KEY DEFAULT true CHECK (id),
    lower_bound xid8 NOT NULL
);
INSERT INTO core_moderation_sealer (lower_bound) VALUES ('0');

-- A moderator's notes as they are now.
CREATE TABLE core_moderation_report_notes (
    id         uuid PRIMARY KEY,
    report_id  uuid NOT NULL,
    author_id  uuid REFERENCES core_users (id),
    kind       text NOT NULL CHECK (kind IN ('text', 'richText')),
    body       json,
    erased     boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    edited_at  timestamptz,
    deleted_at timestamptz
);
CREATE INDEX core_moderation_report_notes_report ON core_moderation_report_notes (report_id);
CREATE INDEX core_moderation_report_notes_author ON core_moderation_report_notes (author_id) WHERE author_id IS NOT NULL;

-- The present scope of each reported target: no fact about a report, but what
-- lists ask of one. scope_family is null for a target without scope.
CREATE TABLE core_moderation_targets (
    plugin_id    text NOT NULL,
    target_type  text NOT NULL,
    target_id    text NOT NULL,
    scope_family text,
    scope_id     text,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (plugin_id, target_type, target_id)
);
CREATE INDEX core_moderation_targets_scope ON core_moderation_targets (scope_family, scope_id);

-- Filing attempts by minute. Unlogged: a crash forgets an hour of attempts, and
-- counting them costs no flush.
CREATE UNLOGGED TABLE core_moderation_attempts (
    user_id  uuid NOT NULL,
    minute   timestamptz NOT NULL,
    attempts integer NOT NULL,
    PRIMARY KEY (user_id, minute)
);

-- +goose Down
DROP TABLE core_moderation_attempts;
DROP TABLE core_moderation_targets;
DROP TABLE core_moderation_report_notes;
DROP TABLE core_moderation_sealer;
DROP TABLE core_moderation_log;
