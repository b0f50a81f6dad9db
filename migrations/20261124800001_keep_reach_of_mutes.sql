-- A mute counts where its maker could mute when it was set. Null: everywhere, for mutes that a
-- server made that does not write it.

-- +goose Up
ALTER TABLE core_mutes ADD COLUMN reach jsonb;

-- +goose Down
ALTER TABLE core_mutes DROP COLUMN reach;
