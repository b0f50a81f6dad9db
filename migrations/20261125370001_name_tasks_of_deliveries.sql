-- Which task of the queue sends a delivery, so that one whose task has ended without an outcome
-- is known. Servers of the release before write none. If one of them sends a delivery again that
-- has a task here, the delivery is listed as failed until the attempt succeeds.

-- +goose Up
ALTER TABLE core_webhook_deliveries ADD COLUMN task_id uuid;

-- +goose Down
ALTER TABLE core_webhook_deliveries DROP COLUMN task_id;
