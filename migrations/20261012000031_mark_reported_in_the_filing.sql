-- The trigger runs in the filing's own session, which finds the tables already. Its
-- own search path cost a twentieth of a filing.

-- +goose Up
ALTER FUNCTION core_moderation_mark_reported() RESET search_path;

-- +goose Down
ALTER FUNCTION core_moderation_mark_reported() SET search_path FROM CURRENT;
