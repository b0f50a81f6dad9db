-- Tokens with which the server of a plugin's platform files reports for its members. They
-- belong to the plugin and to no account.

-- +goose Up
CREATE TABLE core_host_tokens (
    id           uuid        PRIMARY KEY,
    hash         bytea       NOT NULL UNIQUE, -- SHA-256 of the token
    plugin_id    text        NOT NULL,
    name         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,                 -- null: never
    last_used_at timestamptz,
    revoked_at   timestamptz
);

-- +goose Down
DROP TABLE core_host_tokens;
