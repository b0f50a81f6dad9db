-- +goose NO TRANSACTION
-- What an account wrote and may be asked to take back (docket erase --user). Events
-- whose words are gone leave the index.
--
-- CONCURRENTLY, because the log of a running service may hold millions of events and
-- an ordinary index would make every command wait until it is built. That takes a
-- file without a transaction; and nobody waits for this one with a snapshot that it
-- would wait for in turn, since runners ask for their lock by pg_try_advisory_lock,
-- a statement at a time. A build that was interrupted leaves an invalid index behind,
-- which is dropped before the next try.
--
-- It comes after the report tables, since it is of one of them.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_actor;
CREATE INDEX CONCURRENTLY core_moderation_report_events_actor
    ON core_moderation_report_events (actor_id, report_id) WHERE evidence IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS core_moderation_report_events_actor;
