-- The authors of cases go into their indexes at once. By default new entries wait in a list that
-- some later statement has to sort in, which held the cases up for a second under load.

-- +goose Up
ALTER INDEX core_moderation_cases_authors SET (fastupdate = off);
ALTER INDEX core_moderation_cases_rising SET (fastupdate = off);

-- +goose Down
ALTER INDEX core_moderation_cases_rising RESET (fastupdate);
ALTER INDEX core_moderation_cases_authors RESET (fastupdate);
