-- Notices to authors about measures that were imposed on them or have ended.

-- +goose Up
ALTER TABLE core_notices DROP CONSTRAINT core_notices_kind_check,
    ADD CONSTRAINT core_notices_kind_check CHECK (kind IN ('report', 'decision', 'appeal', 'action', 'measure'));

-- +goose Down
DELETE FROM core_notices WHERE kind = 'measure';
ALTER TABLE core_notices DROP CONSTRAINT core_notices_kind_check,
    ADD CONSTRAINT core_notices_kind_check CHECK (kind IN ('report', 'decision', 'appeal', 'action'));
