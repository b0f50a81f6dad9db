-- The version of a rule that a back-test compares its expression with.

-- +goose Up
ALTER TABLE core_backtests ADD COLUMN against_key text, ADD COLUMN against_version integer;

-- +goose Down
ALTER TABLE core_backtests DROP COLUMN against_key, DROP COLUMN against_version;
