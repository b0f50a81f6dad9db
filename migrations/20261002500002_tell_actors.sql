-- Notices to moderators whose action on content that lives elsewhere failed.

-- +goose Up
ALTER TABLE core_notices DROP CONSTRAINT core_notices_kind_check,
    ADD CONSTRAINT core_notices_kind_check CHECK (kind IN ('report', 'decision', 'appeal', 'action'));

-- +goose Down
DELETE FROM core_notices WHERE kind = 'action';
ALTER TABLE core_notices DROP CONSTRAINT core_notices_kind_check,
    ADD CONSTRAINT core_notices_kind_check CHECK (kind IN ('report', 'decision', 'appeal'));
