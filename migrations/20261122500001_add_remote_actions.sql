-- Requests to the platform that holds the content which have no outcome yet.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN pending_actions json;

-- +goose Down
ALTER TABLE core_moderation_reports DROP COLUMN pending_actions;
