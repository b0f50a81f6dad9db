-- A platform that has carried out a measure is told of its end, also by a server that does not know it.

-- +goose Up
ALTER TABLE core_moderation_measures DROP CONSTRAINT core_moderation_measures_delivery_check,
    ADD CONSTRAINT core_moderation_measures_delivery_check CHECK (delivery IN ('', 'pending', 'failed', 'done'));

-- +goose Down
UPDATE core_moderation_measures SET delivery = '' WHERE delivery = 'done';
ALTER TABLE core_moderation_measures DROP CONSTRAINT core_moderation_measures_delivery_check,
    ADD CONSTRAINT core_moderation_measures_delivery_check CHECK (delivery IN ('', 'pending', 'failed'));
