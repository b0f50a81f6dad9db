-- Binds the hash of each secret that opens an account, or a plugin's reports, to its owner and use.
-- Null: made by a server that does not bind.

-- +goose Up
-- +goose StatementBegin
ALTER TABLE core_sessions ADD COLUMN mac bytea;
ALTER TABLE core_api_tokens
    ADD COLUMN mac bytea,
    ADD COLUMN made_by uuid; -- the token that made this one; null: a session or an operator
CREATE INDEX core_api_tokens_made_by ON core_api_tokens (made_by) WHERE made_by IS NOT NULL;
ALTER TABLE core_host_tokens ADD COLUMN mac bytea;
ALTER TABLE core_account_links ADD COLUMN mac bytea;

-- Since when rows are bound by a key. The key signs the time, so that SQL cannot change it.
CREATE TABLE core_binding_keys (
    id    bytea       PRIMARY KEY, -- derived from the key
    since timestamptz NOT NULL,
    mac   bytea       NOT NULL
);
-- +goose StatementEnd

-- +goose Down
DROP TABLE core_binding_keys;
ALTER TABLE core_account_links DROP COLUMN mac;
ALTER TABLE core_host_tokens DROP COLUMN mac;
ALTER TABLE core_api_tokens DROP COLUMN made_by, DROP COLUMN mac;
ALTER TABLE core_sessions DROP COLUMN mac;
