-- What a decision cites and how long it can be appealed, and the actions that still stand.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN decision json, ADD COLUMN standing json;

-- +goose Down
ALTER TABLE core_moderation_reports DROP COLUMN decision, DROP COLUMN standing;
