-- Accounts whose reports come from a trusted flagger, and of which organisation.

-- +goose Up
CREATE TABLE core_trusted_flaggers (
    user_id   uuid        PRIMARY KEY REFERENCES core_users (id) ON DELETE CASCADE,
    name      text        NOT NULL, -- of the organisation
    marked_by uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    marked_at timestamptz NOT NULL
);
CREATE INDEX core_trusted_flaggers_marked_by ON core_trusted_flaggers (marked_by) WHERE marked_by IS NOT NULL;

-- +goose Down
DROP TABLE core_trusted_flaggers;
