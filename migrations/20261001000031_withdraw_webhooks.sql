-- A plugin may stop declaring a webhook, and declare it again: with what was sent
-- to it, and whether an admin has switched it off, kept in between.

-- +goose Up
ALTER TABLE core_webhooks ADD COLUMN withdrawn_at timestamptz; -- since when its plugin no longer declares it

-- +goose Down
ALTER TABLE core_webhooks DROP COLUMN withdrawn_at;
