-- When a server last said that its plugins declare the webhook, as for scheduled jobs.

-- +goose Up
ALTER TABLE core_webhooks ADD COLUMN declared_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE core_webhooks DROP COLUMN declared_at;
