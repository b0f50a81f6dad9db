-- Why and by whom reporters were muted, for as long as the account exists. That it
-- happened, and until when, is in the staff history too, which nobody can change.

-- +goose Up
CREATE TABLE core_mutes (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    until      timestamptz NOT NULL,
    reason     text        NOT NULL,
    muted_by   uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    muted_at   timestamptz NOT NULL,
    ended_by   uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    ended_at   timestamptz -- null: it ran, or runs, until its time
);
CREATE INDEX core_mutes_user ON core_mutes (user_id, muted_at DESC);
CREATE INDEX core_mutes_muted_by ON core_mutes (muted_by) WHERE muted_by IS NOT NULL;
CREATE INDEX core_mutes_ended_by ON core_mutes (ended_by) WHERE ended_by IS NOT NULL;

-- +goose Down
DROP TABLE core_mutes;
