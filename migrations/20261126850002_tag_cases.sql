-- The tags that live rules gave the reports of a case.

-- +goose Up
ALTER TABLE core_moderation_cases ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE core_moderation_cases DROP COLUMN tags;
