-- Until when the reports of an account weigh nothing. It stands with the account, so
-- that a request learns it where it learns everything else about its caller.

-- +goose Up
ALTER TABLE core_users ADD COLUMN muted_until timestamptz;

-- +goose Down
ALTER TABLE core_users DROP COLUMN muted_until;
