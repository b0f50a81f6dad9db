-- Notices to authors about decisions, and to appellants about their appeals, beside those to
-- reporters.

-- +goose Up
ALTER TABLE core_notices ADD COLUMN kind text NOT NULL DEFAULT 'report' CHECK (kind IN ('report', 'decision', 'appeal'));

-- +goose Down
DELETE FROM core_notices WHERE kind <> 'report';
ALTER TABLE core_notices DROP COLUMN kind;
