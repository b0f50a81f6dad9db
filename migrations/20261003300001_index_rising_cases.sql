-- +goose NO TRANSACTION
-- The cases of an author whose past has not its full eight points there yet: none, as a rule,
-- of an author with much upheld content, however many cases there are.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_cases_rising;
CREATE INDEX CONCURRENTLY core_moderation_cases_rising
    ON core_moderation_cases USING gin (authors) WHERE NOT parts @> '[{"name": "author", "points": 8}]';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_cases_rising;
