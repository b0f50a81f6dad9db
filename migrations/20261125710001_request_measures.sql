-- Measures that platforms carry out which hold the content elsewhere: what became of the last request.

-- +goose Up
ALTER TABLE core_moderation_measures ADD COLUMN delivery text NOT NULL DEFAULT '' CHECK (delivery IN ('', 'pending', 'failed'));

-- +goose Down
ALTER TABLE core_moderation_measures DROP COLUMN delivery;
