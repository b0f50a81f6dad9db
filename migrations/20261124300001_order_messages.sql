-- Subscribers read the topic by transaction id. A transaction that locks several reports gets
-- its id with the first lock, so a transaction with a higher id can change another of them
-- and commit before it gets that lock. Its messages are filed under the latest transaction that has
-- ended, which is at least the last one that changed any of its reports. That is never before its own
-- id, so a subscriber that has read on cannot have passed them by. A trigger does it, so that it also
-- holds for servers of the release before.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION core_messages_follow_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.transaction_id = greatest(NEW.transaction_id, (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER follow_ended BEFORE INSERT ON watermill_docket_events
    FOR EACH ROW EXECUTE FUNCTION core_messages_follow_ended();

-- +goose Down
DROP TRIGGER follow_ended ON watermill_docket_events;
DROP FUNCTION core_messages_follow_ended();
