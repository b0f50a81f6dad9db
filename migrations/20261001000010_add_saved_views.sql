-- +goose Up
-- A moderator's own filters of the board, by name.
CREATE TABLE core_moderation_views (
    user_id    uuid NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    name       text NOT NULL,
    query      text NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, name)
);

-- +goose Down
DROP TABLE core_moderation_views;
